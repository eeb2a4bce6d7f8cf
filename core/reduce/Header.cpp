//===- core/reduce/Header.cpp ---------------------------------------------===//

#include "core/reduce/Header.h"
#include "core/Version.h"
#include "core/check/Rules.h"
#include "core/explain/Words.h"
#include "core/text/Shell.h"
#include "core/trace/Plan.h"
#include "core/trace/RunArguments.h"
#include "core/upstream/Defects.h"
#include "core/upstream/Release.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace memreflens {

//===--- Issues of MLIR's -------------------------------------------------===//

namespace {
struct KnownIssue {
  ReduceKind kind;
  /// Start of the signature (of a finding, its rule).
  llvm::StringRef signature;
  /// To be found in the program; empty for any.
  llvm::StringLiteral program;
  upstream::DefectId defect;
};
} // namespace

static constexpr KnownIssue issues[] = {
    {ReduceKind::crash, "upstream reads freed memory", "",
     upstream::DefectId::staleLiveness},
    {ReduceKind::finding, ruleIds::upstreamReadsFreed.text(), "",
     upstream::DefectId::staleLiveness},
    {ReduceKind::rejection, "loopInControlFlow", "",
     upstream::DefectId::branchLoop},
    {ReduceKind::rejection, "unknownEffects", "",
     upstream::DefectId::unknownEffects},
    {ReduceKind::finding, ruleIds::allocatorMismatch.text(), "gpu.alloc",
     upstream::DefectId::allocatorMismatch},
    {ReduceKind::finding, ruleIds::parallelHoist.text(), "affine.parallel",
     upstream::DefectId::parallelHoist},
};

std::string knownIssue(const Target &target, const std::string &words,
                       const std::string &program) {
  for (const KnownIssue &known : issues) {
    llvm::StringRef text = target.kind == ReduceKind::finding
                               ? llvm::StringRef(target.rule)
                               : llvm::StringRef(target.signature);
    if (known.kind == target.kind && text.starts_with(known.signature) &&
        llvm::StringRef(program).contains(known.program))
      return upstream::statusText(known.defect);
  }
  return {};
}

//===--- Commands ---------------------------------------------------------===//

/// For a POSIX shell.
std::string lensOptions(trace::RunOptions run) {
  run = trace::withoutFolders(std::move(run));
  // The place says which function.
  run.function.clear();
  run.aliases = false;
  if (!run.pipeline.empty())
    run.privateFunctionDynamicOwnership = false;
  std::string text;
  for (const auto &[flag, value] : trace::runArguments(run))
    text += " " + flag + (value.empty() ? "" : "=" + shellWord(value));
  return text;
}

std::string mlirOptPipeline(const trace::RunOptions &run) {
  if (run.refineDistinctObjects || !run.freshResults.empty() ||
      run.unregistered != trace::UnregisteredOps::reject)
    return {};
  std::string passes = prePassPipeline(run);
  if (run.pipeline.empty()) {
    passes += passes.empty() ? "" : ",";
    passes += "buffer-deallocation-pipeline";
    if (run.privateFunctionDynamicOwnership)
      passes += "{private-function-dynamic-ownership=1}";
  }
  for (const std::string &pass : run.passes) {
    // LLVM 21 took it out.
    if (trace::passName(pass) == trace::classicPass)
      return {};
    passes += (passes.empty() ? "" : ",") + pass;
  }
  return "builtin.module(" + passes + ")";
}

//===--- Comments ---------------------------------------------------------===//

namespace {
/// Comment lines of a width that issues show whole.
class Comments {
public:
  /// Folds the text at blanks; whatever it holds, it stays a comment.
  void add(llvm::StringRef text, unsigned indent = 0);
  /// A command: not folded.
  void addWhole(llvm::StringRef text, unsigned indent);
  std::string text;

private:
  void addLine(llvm::StringRef line, unsigned indent);
};
} // namespace

/// Without line ends and other control characters.
static std::string onOneLine(llvm::StringRef text) {
  std::string line = text.str();
  for (char &c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return line;
}

void Comments::addLine(llvm::StringRef line, unsigned indent) {
  text += "// " + std::string(indent, ' ');
  // `// -----` would end the program.
  text += (line.starts_with("-----") ? "." : "") + line.str() + "\n";
}

void Comments::add(llvm::StringRef words, unsigned indent) {
  constexpr size_t width = 77;
  std::string line;
  llvm::SmallVector<llvm::StringRef> parts;
  std::string flat = onOneLine(words);
  llvm::StringRef(flat).split(parts, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    if (!line.empty() && line.size() + 1 + part.size() + indent > width) {
      addLine(line, indent);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + part.str();
  }
  addLine(line, indent);
}

void Comments::addWhole(llvm::StringRef words, unsigned indent) {
  addLine(onOneLine(words), indent);
}

//===--- The header -------------------------------------------------------===//

static std::string whatItIs(const Target &target) {
  switch (target.kind) {
  case ReduceKind::clone:
    return "Clone: ";
  case ReduceKind::check:
    return target.signature.starts_with("condition") ? "Conditional dealloc: "
           : target.signature.starts_with("dealloc_helper")
               ? "dealloc_helper call: "
               : "Run-time alias check: ";
  case ReduceKind::rejection:
    return "Rejection: ";
  case ReduceKind::crash:
    return "Crash: ";
  case ReduceKind::finding:
    return "Finding " + target.rule + ": ";
  }
  return {};
}

static void addCommands(Comments &comments, const Target &target,
                        const Shown &shown, const HeaderFacts &facts,
                        const trace::RunOptions &run) {
  std::string file = shellWord(facts.fileName);
  comments.add("To see it:");
  std::string place = shown.line == 0 ? ""
                                      : ":" + std::to_string(shown.line) + ":" +
                                            std::to_string(shown.column);
  trace::RunOptions typed = run;
  // These two take no such limit.
  if (target.kind == ReduceKind::finding || target.ofUpstream)
    typed.skipSimplificationOver = 0;
  std::string options = lensOptions(std::move(typed));
  if (target.kind == ReduceKind::finding)
    comments.addWhole(
        "memref-lens check --rules=" + target.rule + options + " " + file, 2);
  else if (target.ofUpstream)
    comments.addWhole("memref-lens compare" + options + " " + file, 2);
  else
    comments.addWhole("memref-lens explain" + options + " " + file + place, 2);
  std::string pipeline = mlirOptPipeline(run);
  if (pipeline.empty())
    return;
  std::string command = MEMREF_LENS_MLIR_OPT;
  for (const auto &[flag, value] :
       trace::runArguments(trace::withoutFolders(run)))
    if (flag == "--load-dialect-plugin" || flag == "--load-pass-plugin")
      command += " " + flag + "=" + shellWord(value);
  command += " --pass-pipeline=" + shellWord(pipeline);
  if (run.allowUnregisteredDialect)
    command += " --allow-unregistered-dialect";
  comments.addWhole(command + " " + file, 2);
}

static std::string headerFor(const Reduced &reduced, const Shown &shown,
                             const HeaderFacts &facts,
                             const trace::RunOptions &run) {
  constexpr size_t mostFacts = 8;
  Comments comments;
  comments.add(whatItIs(reduced.target) + shown.words.sentence);
  size_t count = std::min(shown.words.evidence.size(), mostFacts);
  for (size_t i = 0; i < count; ++i) {
    const std::string &place = shown.places[i];
    comments.add(
        (place.empty() ? "" : place + " ") + shown.words.evidence[i].text, 2);
  }
  if (shown.readsFreed && reduced.target.kind != ReduceKind::crash &&
      reduced.target.rule != ruleIds::upstreamReadsFreed)
    comments.add(std::string(readsFreedWords) +
                     ": below is what the mended pass gives, mlir-opt may give "
                     "something else",
                 2);
  if (reduced.target.alsoUpstream)
    comments.add("MLIR's own pipeline dies of it, too", 2);
  addCommands(comments, reduced.target, shown, facts, run);
  std::string issue =
      knownIssue(reduced.target, shown.words.sentence, reduced.text);
  if (!issue.empty())
    comments.add("Known: " + issue);
  comments.add("LLVM " + std::string(llvmVersion) +
               "; reduced by memref-lens " + toolVersion + " from " +
               std::to_string(reduced.opsAtFirst) + " ops to " +
               std::to_string(reduced.ops));
  if (!reduced.stopped.empty())
    comments.add("Not the smallest: the reduction was " + reduced.stopped);
  if (facts.others > 0)
    comments.add("Chosen of " + std::to_string(facts.others + 1) +
                 " things at the place; --reduce=KIND takes another");
  return comments.text;
}

std::string withHeader(const Reduced &reduced, const HeaderFacts &facts,
                       const ProbeOptions &options) {
  Target target = reduced.target;
  // It died of the text without comments; with them, where objects lie anew,
  // one that reads memory which is none may live.
  target.alsoUpstream = false;
  Shown shown = lookSafely(reduced.text, target, options);
  std::string header;
  // The header's own lines move the places that it names.
  for (int round = 0; round < 4 && shown.found; ++round) {
    std::string next = headerFor(reduced, shown, facts, options.analysis.run);
    if (next == header)
      return header + reduced.text;
    header = std::move(next);
    shown = lookSafely(header + reduced.text, target, options);
  }
  return shown.found ? header + reduced.text : std::string();
}

} // namespace memreflens
