//===- core/source/Document.cpp - a file as parsed modules ----------------===//

#include "core/source/Document.h"

#include "core/source/Chunks.h"
#include "core/source/CrashGuard.h"
#include "core/source/DeepStack.h"
#include "core/source/Expansion.h"
#include "core/source/IrLister.h"
#include "core/source/Locations.h"
#include "core/source/Problems.h"
#include "core/source/TextNames.h"
#include "core/source/TraceIr.h"
#include "core/text/LineIndex.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <algorithm>

using namespace mlir;
using namespace memreflens;
using trace::Id;

static constexpr StringLiteral byteOrderMark = "\xEF\xBB\xBF";
/// Parsing shallower text than this needs no stack of its own.
static constexpr uint32_t shallowNesting = 200;

bool ParsedDocument::anyParsed() const {
  return llvm::any_of(
      chunks, [](const ParsedChunk &chunk) { return bool(chunk.module); });
}

using Resources = FallbackAsmResourceMap;

namespace {

/// Parses the chunks of one file, one after the other.
class DocumentParser {
public:
  DocumentParser(MLIRContext &context, const ParseOptions &options,
                 trace::Trace &trace)
      : context(context), options(options), trace(trace) {}

  void parseText(ParsedDocument &document);
  void parseBytecode(std::string bytes, ParsedDocument &document);
  void reject(ParsedDocument &document, std::string message);

private:
  Id addChunk(trace::Range range);
  void addProblem(Id chunk, trace::Range range, std::string message);
  OwningOpRef<ModuleOp> parseChunk(Id chunk, StringRef text, uint32_t begin,
                                   LineColumn start, Resources *resources);
  /// Runs `read` so that a crash of MLIR's is a problem of this chunk only.
  OwningOpRef<ModuleOp>
  readGuarded(Id chunk, llvm::function_ref<OwningOpRef<ModuleOp>()> read);
  OwningOpRef<ModuleOp> parseModule(Id chunk, StringRef text, uint32_t begin,
                                    LocationMover &mover,
                                    ProblemCapture &capture,
                                    Resources *resources);
  OwningOpRef<ModuleOp> readModule(Id chunk, StringRef bytes,
                                   ProblemCapture &capture,
                                   Resources *resources);
  OwningOpRef<ModuleOp> listParsed(OwningOpRef<ModuleOp> module, Id chunk,
                                   TextNames &names, LocationMover &mover);

  MLIRContext &context;
  const ParseOptions &options;
  trace::Trace &trace;
};

/// What a chunk adds to the trace, to be taken back if it does not verify.
class Listing {
public:
  explicit Listing(trace::Trace &trace)
      : trace(trace), functions(trace.functions.size()),
        blocks(trace.blocks.size()), ops(trace.ops.size()),
        values(trace.values.size()) {}

  void takeBack(Id chunk) {
    trace.chunks[chunk].functions.clear();
    trace.functions.resize(functions);
    trace.blocks.resize(blocks);
    trace.ops.resize(ops);
    trace.values.resize(values);
  }

private:
  trace::Trace &trace;
  size_t functions, blocks, ops, values;
};

} // namespace

Id DocumentParser::addChunk(trace::Range range) {
  Id id = Id(trace.chunks.size());
  trace::Chunk &chunk = trace.chunks.emplace_back();
  chunk.id = id;
  chunk.range = range;
  return id;
}

void DocumentParser::addProblem(Id chunk, trace::Range range,
                                std::string message) {
  trace::Problem &problem = trace.problems.emplace_back();
  problem.chunk = chunk;
  problem.range = range;
  problem.message = std::move(message);
}

void DocumentParser::reject(ParsedDocument &document, std::string message) {
  Id id = addChunk({0, uint32_t(trace.source.text.size())});
  trace.chunks[id].parsed = false;
  addProblem(id, {}, std::move(message));
  document.chunks.push_back({id, nullptr, nullptr});
}

void DocumentParser::parseText(ParsedDocument &document) {
  StringRef text = trace.source.text;
  auto parse = [&](trace::Range range, StringRef part, uint32_t begin,
                   LineColumn start) {
    Id id = addChunk(range);
    std::unique_ptr<Resources> resources;
    if (part.contains("external_resources"))
      resources = std::make_unique<Resources>();
    OwningOpRef<ModuleOp> module =
        parseChunk(id, part, begin, start, resources.get());
    trace.chunks[id].parsed = bool(module);
    document.chunks.push_back({id, std::move(module), std::move(resources)});
  };
  std::vector<trace::Range> ranges = {{0, uint32_t(text.size())}};
  if (const std::optional<TextPart> &part = options.part)
    return parse(ranges.front(), part->text, part->begin, {part->line + 1, 1});
  if (options.splitInput)
    ranges = splitChunks(text);
  if (text.starts_with(byteOrderMark))
    ranges[0].begin = uint32_t(byteOrderMark.size());
  LineIndex lines(trace.source.text);
  for (trace::Range range : ranges)
    parse(range, text.slice(range.begin, range.end), range.begin,
          lines.lineColumn(range.begin));
}

OwningOpRef<ModuleOp> DocumentParser::parseChunk(Id chunk, StringRef text,
                                                 uint32_t begin,
                                                 LineColumn start,
                                                 Resources *resources) {
  Nesting nesting = measureNesting(text, options.maxNesting);
  if (nesting.depth > options.maxNesting) {
    addProblem(chunk, tokenAt(trace.source.text, begin + nesting.exceededAt),
               "nesting of " + std::to_string(nesting.depth) +
                   " levels exceeds the limit of " +
                   std::to_string(options.maxNesting));
    return nullptr;
  }
  LocationMover mover(context, trace.source.path, start.line - 1,
                      start.column - 1);
  ProblemCapture capture(context, trace, {.chunk = chunk}, &mover);
  auto parse = [&] {
    return parseModule(chunk, text, begin, mover, capture, resources);
  };
  if (nesting.depth <= shallowNesting)
    return readGuarded(chunk, parse);
  OwningOpRef<ModuleOp> module;
  runOnDeepStack([&] { module = readGuarded(chunk, parse); });
  return module;
}

OwningOpRef<ModuleOp>
DocumentParser::readGuarded(Id chunk,
                            llvm::function_ref<OwningOpRef<ModuleOp>()> read) {
  Listing listing(trace);
  OwningOpRef<ModuleOp> module;
  if (survives([&] { module = read(); }))
    return module;
  listing.takeBack(chunk);
  // The crash mostly comes of the error before it.
  trace::Range place = {trace.chunks[chunk].range.begin,
                        trace.chunks[chunk].range.begin};
  if (!trace.problems.empty() && trace.problems.back().chunk == chunk)
    place = trace.problems.back().range;
  addProblem(chunk, place, "MLIR crashed while it read this");
  return nullptr;
}

OwningOpRef<ModuleOp> DocumentParser::parseModule(Id chunk, StringRef part,
                                                  uint32_t begin,
                                                  LocationMover &mover,
                                                  ProblemCapture &capture,
                                                  Resources *resources) {
  // A copy, because the lexer wants a NUL at the chunk's end.
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(part, mover.bufferName());
  StringRef text = buffer->getBuffer();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  Block parsed;
  AsmParserState state;
  ParserConfig config(&context, /*verifyAfterParse=*/false, resources);
  OwningOpRef<ModuleOp> module;
  if (succeeded(parseAsmSourceFile(sources, &parsed, config, &state)))
    module = detail::constructContainerOpForParserIfNecessary<ModuleOp>(
        &parsed, &context,
        FileLineColLoc::get(&context, mover.bufferName(), 1, 1));
  if (!module) {
    if (!capture.sawError())
      addProblem(chunk, {begin, begin}, "could not be parsed");
    return nullptr;
  }
  TextNames names(state, text, begin);
  ExpansionProblem expansion = expansionProblem(state);
  if (!expansion.message.empty()) {
    addProblem(chunk, names.rangeOf(expansion.place), expansion.message);
    return nullptr;
  }
  return listParsed(std::move(module), chunk, names, mover);
}

OwningOpRef<ModuleOp> DocumentParser::listParsed(OwningOpRef<ModuleOp> module,
                                                 Id chunk, TextNames &names,
                                                 LocationMover &mover) {
  // Listed and tagged first, so that the verifier's errors have their place
  // even where the user's own `loc(...)` names another file.
  Listing listing(trace);
  IrLister lister(trace, chunk, names);
  lister.listStructure(*module);
  lister.tagAll(&mover);
  if (failed(verify(*module))) {
    listing.takeBack(chunk);
    return nullptr;
  }
  lister.describeFunctions();
  return module;
}

/// A copy that lies on the border of a page, and on none of two pages: bytecode
/// says which alignment its sections want, and whether it is met must not be
/// left to chance. Nor must what the reader finds behind the end, where damaged
/// bytecode may lead it: zeros.
static std::unique_ptr<llvm::WritableMemoryBuffer> copyOnPage(StringRef bytes,
                                                              StringRef &copy) {
  constexpr size_t page = 4096;
  constexpr size_t behind = 64;
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      page + bytes.size() + behind, "", llvm::Align(2 * page));
  if (!buffer)
    llvm::report_bad_alloc_error("no memory for a copy of the bytecode");
  char *end = llvm::copy(bytes, buffer->getBufferStart() + page);
  std::fill_n(end, behind, '\0');
  copy = StringRef(buffer->getBufferStart() + page, bytes.size());
  return buffer;
}

/// Of bytecode that wants another alignment MLIR tells where in memory it lies;
/// equal input must give equal words. Whether it finds a buffer aligned to what
/// is no power of two even hangs on that; if it does, it says what is wrong
/// with it, and so is it said here, if it does not.
static void settleAlignment(std::vector<trace::Problem> &problems,
                            size_t first) {
  for (size_t i = first; i < problems.size(); ++i) {
    StringRef message = problems[i].message;
    uint64_t wanted = 0;
    if (!message.consume_front("expected section alignment ") ||
        message.consumeInteger(10, wanted))
      continue;
    if (llvm::isPowerOf2_64(wanted)) {
      problems[i].message = "expected section alignment " +
                            std::to_string(wanted) +
                            " but bytecode buffer is not aligned";
      continue;
    }
    problems[i].message = "expected alignment to be a power-of-two";
    problems.resize(i + 1);
  }
}

OwningOpRef<ModuleOp> DocumentParser::readModule(Id chunk, StringRef bytes,
                                                 ProblemCapture &capture,
                                                 Resources *resources) {
  StringRef aligned;
  auto buffer = copyOnPage(bytes, aligned);
  const size_t before = trace.problems.size();
  Block parsed;
  ParserConfig config(&context, /*verifyAfterParse=*/false, resources);
  OwningOpRef<ModuleOp> module;
  if (succeeded(readBytecodeFile(
          llvm::MemoryBufferRef(aligned, trace.source.path), &parsed, config)))
    module = detail::constructContainerOpForParserIfNecessary<ModuleOp>(
        &parsed, &context,
        FileLineColLoc::get(&context, trace.source.path, 0, 0));
  if (!module && !capture.sawError())
    addProblem(chunk, {}, "could not be read as bytecode");
  if (!module) {
    settleAlignment(trace.problems, before);
    return nullptr;
  }
  if (unsigned depth = regionDepth(*module); depth > options.maxNesting) {
    addProblem(chunk, {},
               "nesting of " + std::to_string(depth) +
                   " levels exceeds the limit of " +
                   std::to_string(options.maxNesting));
    return nullptr;
  }
  if (failed(verify(*module)))
    return nullptr;
  addIrToTrace(*module, chunk, trace, /*tagged=*/false);
  return module;
}

void DocumentParser::parseBytecode(std::string bytes,
                                   ParsedDocument &document) {
  Id id = addChunk({});
  OwningOpRef<ModuleOp> module;
  ProblemCapture capture(context, trace, {.chunk = id});
  auto resources = std::make_unique<Resources>();
  auto read = [&] { return readModule(id, bytes, capture, resources.get()); };
  runOnDeepStack([&] { module = readGuarded(id, read); });
  trace.chunks[id].parsed = bool(module);
  if (resources->getPrinters().empty())
    resources.reset();
  document.chunks.push_back({id, std::move(module), std::move(resources)});
}

ParsedDocument memreflens::parseDocument(trace::Source source,
                                         MLIRContext &context,
                                         const ParseOptions &options,
                                         trace::Trace &trace) {
  ParsedDocument document;
  DocumentParser parser(context, options, trace);
  trace.source.path = std::move(source.path);
  trace.source.text.clear();
  size_t size = source.text.size();
  if (size > options.maxBytes) {
    parser.reject(document, "file of " + std::to_string(size) +
                                " bytes exceeds the limit of " +
                                std::to_string(options.maxBytes) + " bytes");
    return document;
  }
  if (isBytecode(llvm::MemoryBufferRef(source.text, ""))) {
    parser.parseBytecode(std::move(source.text), document);
    return document;
  }
  trace.source.text = std::move(source.text);
  parser.parseText(document);
  return document;
}
