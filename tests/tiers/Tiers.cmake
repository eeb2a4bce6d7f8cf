# Which tier each test is of; a name that ends in * is of all that begin so. Each
# test is in exactly one (CMakeLists.txt sees to that), which is its label.
# README.md of tests/ says what a tier is for.

# Our own code by itself, and what the sources look like: under a minute in all.
set(tier_unit
  attach-test
  cli-docs
  docs-self-test
  ExplainTest
  FindingTest
  files-test
  format
  format-self-test
  fuzz-replay-*
  glossary
  glossary-self-test
  graph-layout
  graph-units
  layers
  layers-self-test
  liveness-test
  parallel-test
  ReduceTest
  report-units
  samples-complete
  simplify-test
  source-test
  symbols
  thirdparty-test
  QueryTest
  TraceTest)

# What our programs print, write, draw and answer, as it is kept or must be.
set(tier_golden
  bench
  bundle
  bytecode
  causes
  causes.experiment
  causes.kernels
  check.change
  check.command
  check.defects
  check.jobs
  check.readings
  check.reports
  check.statements
  check.rules
  check.sarif
  determinism
  determinism.batches
  determinism.texts
  dialect
  diff.*
  docs
  execute.cases
  execute.inputs
  explain.allocations
  explain.fixtures
  explain.giant
  explain.readings
  explain.samples
  export-corpus
  export-hostile
  gallery
  graph-facts
  graph-facts-corpus
  lifetimes
  lsp-crashes
  lsp-documents
  lsp-embedding
  lsp-explored
  lsp-features
  lsp-findings
  lsp-remedies
  lsp-steady
  lsp-memory
  lsp-markdown
  lsp-increments
  lsp-ops
  lsp-pages
  lsp-runs
  lsp-sessions
  lsp-threads
  lsp-units
  lsp-wire
  names
  output
  samples
  scopes-facts
  setaside
  skipped)

# Held against somebody else: MLIR's own tools and server, programs that run,
# valgrind, a second derivation, a fault seeded on purpose.
set(tier_judge
  attach
  bufferize.claims
  bufferize.copies
  bufferize.overview
  bufferize.pictures
  bufferize.remedies
  bufferize.rules
  bufferize.steps
  bufferize.wrong_results
  bytes
  causes.accepted
  check.clean
  check.code
  check.contracts
  check.explore
  check.idle
  check.lost_writes
  check.figures
  check.mutants
  check.advice
  check.trials
  compare-*
  dialect-aliases
  dialect-sources
  dialect-witness
  differences
  explain.claims*
  explain.experiment*
  faults
  graph-facts-faults
  judges.*
  kept
  lsp-conformance
  lsp-happens
  names-followed
  memory*
  opneeds
  opneeds-snippets
  opneeds-unregistered
  passes*
  execute.counts
  execute.pictures
  execute.reports
  execute.faults
  execute.programs
  execute.elements
  execute.costs
  placement-*
  plans
  random.*
  reduce.cases
  refine
  replay
  scopes-corpus
  scopes-execution
  scopes-inlining
  scopes-optimizations
  simplify-against-upstream
  valgrind)

# As they are installed and used: editors, a browser, a window, a bad system.
set(tier_system
  deadly
  hardening-*
  lsp-editors
  package*
  report-browser
  setup
  viewer-desktop
  viewer-drive
  viewer-goldens
  viewer-install
  viewer-links
  viewer-robust
  viewer-test
  vscode*
  worker-orphan)

# Compiles parts of the product anew.
set(tier_rebuild
  fuzz
  out-of-tree
  plugins-doc
  threads)

# Those that take longest begin first, so that at the end none is alone; ctest knows
# how long tests take only where it has run them. In seconds, about.
foreach(cost vscode-bundled=150 vscode=140 package-deb=130 package-tarball=120 fuzz=110
    package=90 out-of-tree=80 threads=60 viewer-drive=60 compare-real=30
    simplify-against-upstream=30 export-corpus=30 reduce.cases=30 bundle=30
    plans=25 opneeds=25 valgrind=25 report-browser=25 hardening-terminal=25
    lsp-increments=20 lsp-explored=20 hardening-limits=20 hardening-paths=20
    hardening-kills=20 judges.mender=20 check.jobs=20 check.trials=20
    hardening-moving_file=15 placement-hoisting=15 placement-pipelines=15
    placement-classic=15)
  string(REGEX MATCH "(.*)=(.*)" match "${cost}")
  set(cost_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()
