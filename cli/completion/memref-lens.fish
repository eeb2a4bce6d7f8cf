# Fish completion of memref-lens; put it in ~/.config/fish/completions.

set -l commands trace ir explain export check compare scopes
set -l stages 0 1 2 3 4 5 6 7 8 final expand-realloc canonicalize \
    ownership-based-buffer-deallocation canonicalize-2 \
    buffer-deallocation-simplification bufferization-lower-deallocations cse \
    canonicalize-3

complete -c memref-lens -n "not __fish_seen_subcommand_from $commands" -f -a trace -d 'The trace of every decision'
complete -c memref-lens -n "not __fish_seen_subcommand_from $commands" -f -a ir -d 'The program after a stage'
complete -c memref-lens -n "not __fish_seen_subcommand_from $commands" -f -a explain -d 'The fate of every buffer'
complete -c memref-lens -n "not __fish_seen_subcommand_from $commands" -f -a export -d 'Pictures and reports'
complete -c memref-lens -n "not __fish_seen_subcommand_from $commands" -f -a check -d 'What is refused, what costs, what is unsound'
complete -c memref-lens -n "not __fish_seen_subcommand_from $commands" -f -a compare -d "Our result against MLIR's own"
complete -c memref-lens -n "not __fish_seen_subcommand_from $commands" -f -a scopes -d 'Which accesses never touch the same memory'
complete -c memref-lens -n "not __fish_seen_subcommand_from $commands" -l version -d 'Versions'
complete -c memref-lens -l help -d 'Usage'

complete -c memref-lens -n "__fish_seen_subcommand_from $commands" -l function -x -d 'Only this function'
complete -c memref-lens -n "__fish_seen_subcommand_from $commands" -l private-function-dynamic-ownership -d 'Private functions return ownership'
complete -c memref-lens -n "__fish_seen_subcommand_from $commands" -l bufferize -d 'Run one-shot-bufferize first'
complete -c memref-lens -n "__fish_seen_subcommand_from $commands" -l pre -x -a 'lift-cf-to-scf "func.func(buffer-hoisting)"' -d 'Run this pass pipeline first'
complete -c memref-lens -n "__fish_seen_subcommand_from $commands" -l split-input-file -d 'Accepted; files are always split'
complete -c memref-lens -n "__fish_seen_subcommand_from $commands" -l allow-unregistered-dialect -d 'Accept unknown dialects'
complete -c memref-lens -n "__fish_seen_subcommand_from $commands" -l stage-timeout -x -d 'Longest that one stage may take'
complete -c memref-lens -n "__fish_seen_subcommand_from $commands" -l color -x -a 'auto always never' -d 'When to colour'

complete -c memref-lens -n '__fish_seen_subcommand_from trace ir explain export' -l pipeline -x -a 'classic hoist+classic ownership dynamic hoist+ownership loop-hoist+ownership stack+ownership drop-results+ownership out-params+ownership ownership+liveness' -d 'Another way to free'
complete -c memref-lens -n '__fish_seen_subcommand_from trace explain export' -l aliases -d 'Which memrefs can be one allocation'
complete -c memref-lens -n '__fish_seen_subcommand_from explain' -l reduce -d 'Write the smallest program that shows it'
complete -c memref-lens -n '__fish_seen_subcommand_from explain' -l reduce-seconds -x -d 'Longest that this may take'
complete -c memref-lens -n '__fish_seen_subcommand_from trace ir explain export check' -l refine -x -a distinct-objects -d 'Use stated facts'

complete -c memref-lens -n '__fish_seen_subcommand_from trace ir explain export check scopes' -s o -l output -r -d 'Write to a file'
complete -c memref-lens -n '__fish_seen_subcommand_from trace' -l format -x -a 'json text' -d 'Form of the trace'
complete -c memref-lens -n '__fish_seen_subcommand_from export' -l format -x -a 'dot svg png html json md' -d 'Form of the result'
complete -c memref-lens -n '__fish_seen_subcommand_from export' -l view -x -a 'cfg lifetimes' -d 'What to draw'
complete -c memref-lens -n '__fish_seen_subcommand_from export' -l theme -x -a 'light dark' -d 'Colours'
complete -c memref-lens -n '__fish_seen_subcommand_from export' -l detail -x -a 'blocks ops' -d 'How much to draw'
complete -c memref-lens -n '__fish_seen_subcommand_from export' -l highlight -x -d 'Emphasise a value'
complete -c memref-lens -n '__fish_seen_subcommand_from export' -l stage -x -a "$stages" -d 'After which stage'
complete -c memref-lens -n '__fish_seen_subcommand_from ir' -l stage -x -a "$stages" -d 'After which stage'
complete -c memref-lens -n '__fish_seen_subcommand_from ir' -l source-names -d "Print with the file's SSA names"
complete -c memref-lens -n '__fish_seen_subcommand_from check' -l format -x -a 'text json sarif github' -d 'Form of the report'
complete -c memref-lens -n '__fish_seen_subcommand_from check' -l fail-on -x -a 'error warning none' -d 'What makes the status 1'
complete -c memref-lens -n '__fish_seen_subcommand_from check' -l rules -x -a 'refused cost unsound' -d 'Only these rules'
complete -c memref-lens -n '__fish_seen_subcommand_from check' -l baseline -r -d 'Report only what is new'
complete -c memref-lens -n '__fish_seen_subcommand_from check' -l budget -r -d 'Limits'
complete -c memref-lens -n '__fish_seen_subcommand_from check' -s j -l jobs -x -d 'Files at a time'
complete -c memref-lens -n '__fish_seen_subcommand_from check' -l bound -x -d 'Times through a loop'
complete -c memref-lens -n '__fish_seen_subcommand_from check' -l path-seconds -x -d 'Longest for one function'
complete -c memref-lens -n '__fish_seen_subcommand_from check' -l no-try -d 'Do not try remedies'
complete -c memref-lens -n '__fish_seen_subcommand_from check' -l try-ops -x -d 'Ops of all copies'
complete -c memref-lens -n '__fish_seen_subcommand_from check' -s v -l verbose -d 'Also what was tried in vain'
complete -c memref-lens -n '__fish_seen_subcommand_from check' -l help-uri-base -x -d 'Where the rules are described'
complete -c memref-lens -n '__fish_seen_subcommand_from compare' -l before -r -d 'Version before'
complete -c memref-lens -n '__fish_seen_subcommand_from compare' -l after -r -d 'Version after'
complete -c memref-lens -n '__fish_seen_subcommand_from compare' -l format -x -a 'md text json' -d 'Of versions or pipelines'
complete -c memref-lens -n '__fish_seen_subcommand_from compare' -l pipelines -x -d 'Ways to free, side by side'
complete -c memref-lens -n '__fish_seen_subcommand_from compare' -s o -l output -r -d 'Write to a file'
complete -c memref-lens -n '__fish_seen_subcommand_from compare' -l timeout -x -d 'Longest run of MLIR'
complete -c memref-lens -n '__fish_seen_subcommand_from compare' -s q -l quiet -d 'No line for what is identical'
complete -c memref-lens -n '__fish_seen_subcommand_from scopes' -l format -x -a 'text json' -d 'Form of the list'
complete -c memref-lens -n '__fish_seen_subcommand_from scopes' -l emit -x -a 'llvm marked attached' -d 'Print the program'
complete -c memref-lens -n '__fish_seen_subcommand_from scopes' -l no-scopes -d 'Print it without scopes'
complete -c memref-lens -n '__fish_seen_subcommand_from scopes' -l keep-inlinable -d 'Only scopes that hold between all calls'
