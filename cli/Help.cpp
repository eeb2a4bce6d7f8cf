//===- cli/Help.cpp - usage, one screen a command -------------------------===//

#include "cli/Options.h"

namespace memreflens {

static constexpr char overview[] =
    R"(memref-lens shows who owns every buffer in an MLIR program, and why.

usage: memref-lens FILE           what it costs, why, and what to do
       memref-lens COMMAND [options] FILE

commands:
  explain FILE[:LINE[:COL]]   the fate of every buffer; with a position,
                              everything about the value, op or block there
  memory FILE                 the peak of heap memory: which buffers are alive
                              there, since when they are idle, and how little
                              memory is enough
  run FILE                    what really happens: the program runs, with counts
                              of allocations, deallocations and conditions, and
                              leaks and uses after free by name and place
  trace FILE [-o OUT]         the trace of every decision, as JSON or text
  ir FILE --stage STAGE       the program after a stage of the pipeline
  export FILE -o OUT          pictures and reports: DOT, SVG, PNG, HTML, JSON,
                              Markdown
  check FILE...               what is rejected, what costs, what is unsound: all
                              paths of every function tried
  compare FILE...             our result against MLIR's own, stage by stage; or
                              two versions of a file: what a change does
  scopes FILE                 which loads and stores never touch the same
                              memory, as alias scopes; and the program for LLVM
                              with them
  diff FILE FILE              which decisions differ between two programs, two
                              sets of options or two saved traces
  bundle FILE                 the program with its trace, the IR of every stage
                              and the comparison in one archive, to be sent

'memref-lens COMMAND --help' lists a command's options. FILE may be '-';
trace, ir, explain, memory, export and diff take a saved trace (.json) or a bundle too.

  --version                   version of this program and of LLVM
  --help                      this text

exit status: 0 done, 1 differences or findings, 2 wrong usage,
             3 input that could not be read or parsed, output that could not
             be written, 70 internal error, 71 no memory or no process left
)";

static constexpr char common[] = R"(
  --function NAME             only this function
  --private-function-dynamic-ownership
                              private functions return ownership indicators
  --bufferize[=OPTIONS]       run one-shot-bufferize first (function boundaries
                              on); OPTIONS as in its textual form
  --pre=PIPELINE              run this textual pass pipeline first, for example
                              --pre='func.func(buffer-hoisting)'
  --load-dialect-plugin=LIB   load a shared library with dialects of yours, as
                              mlir-opt does; may be given several times
  --load-pass-plugin=LIB      the same with passes, for --pre and --pipeline
  --split-input-file          accepted; files are always split at '// -----'
  --allow-unregistered-dialect
                              accept ops of dialects that are not linked
  --stage-timeout SECONDS     longest that one stage may take; 0: no limit
  --color WHEN                auto, always or never
  --help                      this text
)";

static constexpr char refine[] = R"(
  --refine distinct-objects   use what memref.distinct_objects states, which
                              MLIR does not, and tell what that saves)";

static constexpr char assume[] = R"(
  --assume fresh-results=@NAME
                              take memref results of the external functions of
                              that name ('*': any letters) for buffers that
                              nothing else points to, which MLIR cannot know,
                              and tell what rests on that; may be repeated
  --assume keeps-results=@NAME
                              they keep what they return, and deallocate it;
                              likewise returns-argument=@NAME:0,
                              keeps-argument=@NAME:0 and
                              releases-argument=@NAME:0: held against what the
                              pipeline deallocates
  --assume SIZE               in figures of memory, take what the program leaves
                              open: %n=1024, a scalar by its name;
                              @f:0:1=32, dimension 1 of argument 0 of @f)";

static constexpr char skip[] = R"(
  --skip-simplification-over OPS
                              skip canonicalize, cse and
                              buffer-deallocation-simplification on functions of
                              more than OPS ops, with a warning: their time can
                              grow with the square of a function; the IR is then
                              not what MLIR makes)";

static constexpr char unregistered[] = R"(
  --unregistered WHAT         of an op that is not registered: assume-pure or
                              assume-reads looks past it, as if it allocated and
                              deallocated nothing, and notes what rests on that;
                              reject (default), as MLIR does)";

static constexpr char jobs[] = R"(
  -j, --jobs N                batches of functions that are analysed at a time
                              (default: all cores); the result is the same)";

static constexpr char pipeline[] = R"(
  --pipeline PIPELINE         another way to deallocate than MLIR's: classic
                              (the clone-based pass of LLVM 20) or ownership or
                              dynamic, with hoist, loop-hoist, stack,
                              drop-results or out-params in front, idle inside
                              and liveness or last-use behind, joined by '+', as
                              hoist+classic; or passes as mlir-opt takes them,
                              'builtin.module(...)'
  --assume no-capture=@NAME   for last-use: take the external functions of that
                              name ('*': any letters) to keep no pointer to what
                              they are passed; may be repeated)";

static constexpr char aliases[] = R"(
  --aliases                   also which memrefs must alias, may alias or do not,
                              and what each access may touch)";

static constexpr char explain[] =
    R"(usage: memref-lens explain [options] FILE[:LINE[:COL]]
       memref-lens explain --op DIALECT.OP [options] [FILE]

Runs the buffer deallocation pipeline and tells the fate of every buffer: where
it is deallocated and under which condition, who owns it, why it is cloned, why a
run-time alias check is left, why a function is rejected. With a line, or a line
and a column (from 1), everything about what stands there.

With --op, what an op needs: its interfaces and traits in this registry, which
conditions of the pass it meets, what the pass does to it, and the lines that it
lacks, to paste; with a FILE also of each op of that name in it.

options:
  --op DIALECT.OP             of this op, in place of the buffers of a file
  --format FORMAT             with --op: text (default) or json
  -o, --output OUT            write to a file instead of standard output
  --reduce[=KIND]             write the smallest program that still shows what
                              is at the place, with comments that say what:
                              clone, check (run-time alias check), rejection,
                              crash or
                              finding:RULE (of 'memref-lens check'); default: the
                              most telling
  --reduce-seconds N          longest that this may take (120; 0: no limit);
                              Ctrl-C, too, ends it with what there is)";

static constexpr char memoryHelp[] =
    R"(usage: memref-lens memory [options] FILE

Of each function: the most heap memory that is live at once and where, the buffers
that are alive there with their last uses and deallocs, the peak if each were
deallocated right after its last use, what holds those that are past it, and the
size of one arena that holds them all. 'memref-lens export --view memory' and
'--view arena' draw it. In the order of the text: both arms of a branch count, and
what is used in a loop is in use to its end. A size that only run time knows is
listed, with its symbols; '--assume' states one.

options:
  --all                       every function, and every buffer alive at the peak
  --format FORMAT             text (default); json: with live bytes at each op,
                              and each buffer's offset in the arena; svg or png:
                              the plot of the function, of several that with the
                              largest peak; html: a page to look around in
  -o, --output OUT            write to a file instead of standard output; its
                              ending (.svg, .png, .html, .json) is a format, too
  --with-run RUN              what one run had beside what is predicted; RUN is
                              what 'memref-lens run FILE --format json -o RUN'
                              wrote)";

static constexpr char runHelp[] =
    R"(usage: memref-lens run [options] FILE

Lowers the program as the pipeline leaves it to LLVM, runs one function of it in a
child process that can reach neither files nor network, and counts what happens at
each op: allocations, deallocations, which conditions were true, which run-time
alias checks ever found the same buffer, live bytes and their peak. Leaks, uses
after free, double frees and accesses out of bounds of the heap are told with the
program's own names and places. Arguments that are not given are small, seeded and
printed. Exit status 1 where something went wrong.

options:
  --entry @NAME               the function to run (the only public one, or main)
  --arg ARGUMENT=VALUE        of an argument by name or number: a number, or a
                              buffer as 16x16xf32:random, with zeros, iota or a
                              FILE.npy in place of random; sizes and type may be
                              absent where its type has them
  --seed N                    of what nobody gave (1)
  --stub @NAME=WHAT           what an external function does ('*': any letters):
                              fresh (returns buffers of their own; default where
                              it returns any), kept (returns buffers that stay its
                              own), alias:N (returns its argument N) or noop
  --load LIB                  a shared library that has them; it is trusted
  --stage STAGE               the program after this stage (final)
  --lower PIPELINE            lower to LLVM by these passes in place of ours, with
                              finalize-memref-to-llvm{use-generic-functions=1}
  --timeout SECONDS           longest that it may run (30)
  --compile-timeout SECONDS   longest that lowering and compiling may take (300)
  --memory MIB                most that it may hold (2048)
  --all                       text: every row of each table
  --format FORMAT             text (default), or json (docs/run.schema.json)
  -o, --output OUT            write to a file instead of standard output)";

static constexpr char traceHelp[] =
    R"(usage: memref-lens trace [options] FILE

Runs the pipeline and writes every decision with its evidence, and the program
after each stage.

options:
  -o, --output OUT            write to a file instead of standard output
  --format FORMAT             json (default; docs/trace.schema.json) or text)";

static constexpr char ir[] =
    R"(usage: memref-lens ir [options] FILE --stage STAGE

Prints the program after a stage, byte for byte as mlir-opt does. A function that
is rejected is printed as its last good stage left it, with a comment.

options:
  --stage STAGE               0 (input) to 8, final, or a name:
                                1 expand-realloc
                                2 canonicalize
                                3 ownership-based-buffer-deallocation
                                4 canonicalize-2
                                5 buffer-deallocation-simplification
                                6 bufferization-lower-deallocations
                                7 cse
                                8 canonicalize-3
  --source-names              print with the SSA names of the file
  -o, --output OUT            write to a file instead of standard output)";

static constexpr char exportHelp[] =
    R"(usage: memref-lens export [options] FILE -o OUT

Draws the control-flow graph of a function with what each block owns, retains and
deallocates, or writes a report of the whole file. FILE may be a saved trace
(.json). With -o DIR/ every function gets a file, and the folder an index.

options:
  -o, --output OUT            file, or folder if it ends in '/'; default standard
                              output
  --format FORMAT             dot, svg or png: one function's picture
                              html: one file to open in a browser, with source,
                              graph, ownership table, lifetimes and stages
                              md: a summary with diagrams for a pull request
                              json: the graphs as data
                              default: by the ending of OUT
  --view VIEW                 cfg (default); lifetimes: from allocation over last
                              use to deallocation, and live bytes; memory: live
                              bytes by what holds them; arena: one piece of
                              memory for all buffers (these three as svg or png)
  --stage STAGE               draw the program after a stage (0 to 8, final, or
                              a name), or two of them side by side: 0..final;
                              default: the program as written, with decisions
  --theme THEME               light (default) or dark; html: what the page opens
                              with (default: what the browser prefers)
  --detail DETAIL             ops (default): with operations; blocks: without
  --highlight %NAME           emphasise a value, dim the rest
  --no-try                    html and md: do not apply remedies to copies of the
                              program, to be faster
  --with-run RUN              draw the program that ran, with how often each block,
                              edge and op did, or with another --view what its
                              buffers did, too; html and md: a report with the
                              counts; RUN is what 'memref-lens run FILE --format
                              json -o RUN' wrote)";

static constexpr char check[] =
    R"(usage: memref-lens check [options] FILE...

Finds, all at once: every op for which the pipeline rejects a function, and what
to do about it; what its result costs (clones, run-time alias checks,
dealloc_helper calls, late deallocs); and what is unsound. For that, all paths of
each function of the pipeline's result are tried, and of the input where it
deallocates by hand: leaks, double frees, uses after free, deallocs of what
belongs to others, with the path that leads there. Exit status 1 if there are findings; docs/rules has a page for
each rule.

options:
  --format FORMAT             text (default), json, sarif (2.1.0), or github
                              (workflow annotations)
  --fail-on SEVERITY          error (default), warning or none: what makes the
                              exit status 1
  --rules LIST                only these, or all but those with a leading '-':
                              ids and the groups rejected (deprecated: refused),
                              cost and unsound
  --baseline OLD.json         report only what an earlier '--format json' does
                              not have, wherever its lines are now
  --budget FILE               limits: lines such as '@f clones=0 peak=600MiB',
                              with checks= and helpers= too; '*' is each
                              function, 'file' their sum; what is over a peak is
                              told by buffer
  --budget LIMITS             the same for each function, without a file:
                              peak=600MiB,clones=0
  -j, --jobs N                files at a time; where there are fewer, also
                              batches of functions and remedies tested at a time
                              (default: all cores)
  --bound N                   times that a loop without a known end is gone
                              through (3)
  --path-seconds SECONDS      longest that the paths of one function may take
                              (20); bounds of ops and memory, the same on every
                              machine, nearly always end them sooner
  --no-try                    do not apply remedies to copies of the program, to
                              see what they gain
  --try-ops N                 ops that these copies may have, all in all, for
                              each file (500000; 0: no limit); the remedies that
                              promise most come first
  --all                       text: an entry for each finding with its facts, not
                              one for each cause with its places
  -v, --verbose               text: the same, with the remedies that were tested
                              and do not help, and how far the paths of each
                              function were tried
  --with-run RUN              what run-time alias checks found in one run of the
                              file; RUN is what 'memref-lens run FILE --format
                              json -o RUN' wrote
  --help-uri-base URI         sarif: where the pages of docs/rules are
  -o, --output OUT            write to a file instead of standard output)";

static constexpr char compare[] =
    R"(usage: memref-lens compare [options] FILE...
       memref-lens compare [options] --before OLD --after NEW
       memref-lens compare [options] --pipelines NAMES FILE...

Runs MLIR's own buffer-deallocation-pipeline in a child process and compares the
program after every stage. One line a function: identical, rejected alike,
upstream crashed, upstream timed out, upstream reads freed memory, upstream order
varies (its own result changes from run to run), or DIFFERENT with the first
differing lines. Exit status 1 on DIFFERENT or a time-out.

With two versions of a file: what the change does to ownership, for a review:
functions added, removed and renamed, what their memory handling costs, findings
new and fixed, and what becomes of each buffer. Places, and the numbers of values
without a name of their own, do not count. Exit status 0 whatever has changed.

options:
  --before OLD                the version before
  --after NEW                 the version after
  --pipelines NAMES           ways to deallocate, separated by commas: what each
                              one costs, function by function. What deallocates is
                              ownership, dynamic (private functions return
                              ownership) or classic (the clone-based pass of
                              LLVM 20 and before); joined to it by '+', passes
                              that run in front (hoist, loop-hoist, stack,
                              drop-results, out-params) or behind (liveness),
                              for example classic,hoist+classic,ownership
  --format FORMAT             md, text or json; of two versions md by default,
                              of pipelines text
  -o, --output OUT            write to a file instead of standard output, of two
                              versions or of pipelines
  --timeout SECONDS           longest that one run of MLIR may take (600)
  -q, --quiet                 no line for what is identical)";

static constexpr char scopes[] =
    R"(usage: memref-lens scopes [options] FILE

Lists the loads, stores and copies of each function with their alias scopes and
the scopes whose memory they never touch: by where memory comes from, and by what
the program states in memref.distinct_objects and in the dialect lens. What is
said holds within one call of the function; of allocations and globals, between
all calls. docs/aliasing.md says how, and what is bounded.

options:
  --format FORMAT             text (default) or json
  --emit FORM                 print the program instead:
                              llvm: lowered to the LLVM dialect by MLIR's passes,
                              with alias_scopes and noalias_scopes
                              marked: with the scopes in its locations, for
                              passes of yours (keep them: --mlir-print-debuginfo)
                              attached: of a marked program that is in the LLVM
                              dialect by now, with the scopes put in place
  --no-scopes                 print that program without scopes, to compare
  --keep-inlinable            only scopes that hold between all calls; else a
                              function with others is not inlined by LLVM
  -o, --output OUT            write to a file instead of standard output)";

static constexpr char diffHelp[] =
    R"(usage: memref-lens diff [options] FILE FILE
       memref-lens diff [options] FILE --left=OPTIONS --right=OPTIONS

Compares the decisions of the pipeline function by function: which clones, dealloc
lists, retained memrefs, ownerships, ownership indicators, rejections, run-time
alias checks, lowered deallocs and placements appeared, went or changed, with the sentence of each side.
Each FILE is a program, a saved trace (.json) or a bundle. Lines, and the names of
values and blocks, do not count; liveness and rewrites are not compared, but what
they lead to. Exit status 0 if all is equal, 1 if not; docs/diff.md has more.

options:
  --left OPTIONS              options of the first side, as one word, for example
                              --left='--pipeline=classic'
  --right OPTIONS             options of the second side
  --format FORMAT             text (default), json or md
  -o, --output OUT            write to a file instead of standard output)";

static constexpr char bundleHelp[] =
    R"(usage: memref-lens bundle [options] FILE

Writes one archive (.tar.gz) with the program, the options and versions, the
trace, the program after each stage and the comparison with MLIR: all that somebody
else needs to see what you see. It has no path, name or time of this machine, but
for what the program itself says; equal programs and options give equal bytes.
'memref-lens trace', ir, explain, export and diff, and the viewer, open it.

options:
  -o, --output OUT            the archive; default: FILE's name in the current
                              folder, with .bundle.tar.gz for .mlir
  --timeout SECONDS           longest that one run of MLIR may take (600))";

std::string helpText(const std::string &command) {
  if (command == "explain")
    return std::string(explain) + jobs + pipeline + aliases + refine + assume +
           unregistered + skip + common;
  if (command == "memory")
    return std::string(memoryHelp) + jobs + pipeline + refine + assume +
           unregistered + skip + common;
  if (command == "run")
    return std::string(runHelp) + pipeline + refine + assume + unregistered +
           skip + common;
  if (command == "trace")
    return std::string(traceHelp) + jobs + pipeline + aliases + refine +
           assume + unregistered + skip + common;
  if (command == "ir")
    return std::string(ir) + jobs + pipeline + refine + assume + unregistered +
           skip + common;
  if (command == "export")
    return std::string(exportHelp) + pipeline + aliases + refine + assume +
           unregistered + skip + common;
  if (command == "check")
    return std::string(check) + refine + assume + unregistered + common;
  if (command == "compare")
    return std::string(compare) + common;
  if (command == "scopes")
    return std::string(scopes) + common;
  if (command == "diff")
    return std::string(diffHelp) + pipeline + aliases + refine + assume +
           unregistered + common;
  if (command == "bundle")
    return std::string(bundleHelp) + pipeline + aliases + refine + assume +
           unregistered + common;
  return overview;
}

} // namespace memreflens
