# Bash completion of memref-lens; installed as
# share/bash-completion/completions/memref-lens, or source it in ~/.bashrc.
# Made by tests/cli-docs/check_docs.py --update.

_memref_lens() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command="" word
  # An option with =value is three words to bash, since '=' breaks words.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
    explain | memory | run | trace | ir | export | check | compare | scopes | diff | bundle | help) command=$word && break ;;
    esac
  done

  # A file without a command is checked.
  case ${command:-check}:$previous in
  *:--op | *:--reduce-seconds | *:-j | *:--jobs | *:--space | \
    *:--skip-simplification-over | *:--function | *:--stage-timeout | *:--entry | \
    *:--arg | *:--seed | *:--stub | *:--lower | *:--timeout | \
    *:--compile-timeout | *:--memory | *:--highlight | *:--bound | \
    *:--path-seconds | *:--try-ops | *:--help-uri-base | *:--pipelines | \
    *:--left | *:--right)
    return
    ;;
  explain:--format | run:--format | scopes:--format)
    COMPREPLY=($(compgen -W "text json" -- "$current"))
    return
    ;;
  *:-o | *:--output | *:--with-run | *:--budget)
    COMPREPLY=($(compgen -f -- "$current"))
    return
    ;;
  *:--reduce)
    COMPREPLY=($(compgen -W "clone check rejection crash finding:" -- "$current"))
    return
    ;;
  *:--pipeline)
    COMPREPLY=($(compgen -W "classic hoist+classic ownership dynamic hoist+ownership loop-hoist+ownership
      stack+ownership drop-results+ownership out-params+ownership ownership+liveness
      ownership+last-use ownership+idle" -- "$current"))
    return
    ;;
  *:--refine)
    COMPREPLY=($(compgen -W "distinct-objects" -- "$current"))
    return
    ;;
  *:--assume)
    COMPREPLY=($(compgen -W "fresh-results=@ keeps-results=@ no-capture=@ returns-argument=@
      keeps-argument=@ releases-argument=@" -- "$current"))
    return
    ;;
  *:--unregistered)
    COMPREPLY=($(compgen -W "assume-pure assume-reads reject" -- "$current"))
    return
    ;;
  *:--pre)
    COMPREPLY=($(compgen -W "lift-cf-to-scf func.func(buffer-hoisting) func.func(buffer-loop-hoisting)
      func.func(promote-buffers-to-stack) func.func(optimize-allocation-liveness)" -- "$current"))
    return
    ;;
  *:--load-dialect-plugin | *:--load-pass-plugin | *:--load)
    COMPREPLY=($(compgen -f -X '!*.so' -- "$current")
      $(compgen -d -- "$current"))
    return
    ;;
  *:--color)
    COMPREPLY=($(compgen -W "auto always never" -- "$current"))
    return
    ;;
  *:--by)
    COMPREPLY=($(compgen -W "op loc callee" -- "$current"))
    return
    ;;
  memory:--format)
    COMPREPLY=($(compgen -W "text json svg png html" -- "$current"))
    return
    ;;
  *:--stage)
    COMPREPLY=($(compgen -W "0 1 2 3 4 5 6 7 8 final expand-realloc canonicalize
      ownership-based-buffer-deallocation canonicalize-2
      buffer-deallocation-simplification bufferization-lower-deallocations cse
      canonicalize-3" -- "$current"))
    return
    ;;
  trace:--format)
    COMPREPLY=($(compgen -W "json text" -- "$current"))
    return
    ;;
  export:--format)
    COMPREPLY=($(compgen -W "dot svg png html json md" -- "$current"))
    return
    ;;
  *:--view)
    COMPREPLY=($(compgen -W "cfg lifetimes memory arena tensors" -- "$current"))
    return
    ;;
  *:--theme)
    COMPREPLY=($(compgen -W "light dark" -- "$current"))
    return
    ;;
  *:--detail)
    COMPREPLY=($(compgen -W "blocks ops" -- "$current"))
    return
    ;;
  check:--format)
    COMPREPLY=($(compgen -W "text json sarif github" -- "$current"))
    return
    ;;
  *:--fail-on)
    COMPREPLY=($(compgen -W "error warning none" -- "$current"))
    return
    ;;
  *:--rules)
    COMPREPLY=($(compgen -W "rejected cost unsound" -- "$current"))
    return
    ;;
  *:--baseline)
    COMPREPLY=($(compgen -f -X '!*.json' -- "$current")
      $(compgen -d -- "$current"))
    return
    ;;
  *:--before | *:--after)
    COMPREPLY=($(compgen -f -X '!*.mlir*' -- "$current")
      $(compgen -d -- "$current"))
    return
    ;;
  compare:--format)
    COMPREPLY=($(compgen -W "md text json html" -- "$current"))
    return
    ;;
  *:--emit)
    COMPREPLY=($(compgen -W "llvm marked attached" -- "$current"))
    return
    ;;
  diff:--format)
    COMPREPLY=($(compgen -W "text json md" -- "$current"))
    return
    ;;
  esac

  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "explain memory run trace ir export check compare scopes diff bundle
      --help --version" -- "$current"))
    return
  fi
  if [[ $current == -* ]]; then
    local flags="--function --private-function-dynamic-ownership --bufferize --pre
      --load-dialect-plugin --load-pass-plugin --split-input-file
      --allow-unregistered-dialect --stage-timeout --color --help"
    case $command in
    explain) flags+=" --op --format -o --output --reduce --reduce-seconds -j --jobs --pipeline
      --aliases --refine --assume --space --unregistered --skip-simplification-over" ;;
    memory) flags+=" --all --by --format -o --output --with-run -j --jobs --pipeline --refine
      --assume --space --unregistered --skip-simplification-over" ;;
    run) flags+=" --entry --arg --seed --stub --load --stage --lower --timeout --compile-timeout
      --memory --all --format -o --output --pipeline --refine --assume --space
      --unregistered --skip-simplification-over" ;;
    trace) flags+=" -o --output --format -j --jobs --pipeline --aliases --refine --assume --space
      --unregistered --skip-simplification-over" ;;
    ir) flags+=" --stage --source-names -o --output -j --jobs --pipeline --refine --assume
      --space --unregistered --skip-simplification-over" ;;
    export) flags+=" -o --output --format --view --stage --theme --detail --highlight --no-try
      --with-run --pipeline --aliases --refine --assume --space --unregistered
      --skip-simplification-over" ;;
    check) flags+=" --format --fail-on --rules --baseline --budget -j --jobs --bound
      --path-seconds --no-try --try-ops --all -v --verbose --with-run
      --help-uri-base -o --output --refine --assume --space --unregistered" ;;
    compare) flags+=" --before --after --pipelines --format -o --output --timeout -q --quiet" ;;
    scopes) flags+=" --format --emit --no-scopes --keep-inlinable -o --output" ;;
    diff) flags+=" --left --right --format -o --output --pipeline --aliases --refine --assume
      --space --unregistered" ;;
    bundle) flags+=" -o --output --timeout --pipeline --aliases --refine --assume --space
      --unregistered" ;;
    esac
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -f -X '!*.@(mlir|json|tar.gz)*' -- "$current")
    $(compgen -d -- "$current"))
}

complete -o filenames -F _memref_lens memref-lens
