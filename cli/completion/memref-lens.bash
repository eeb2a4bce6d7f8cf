# Bash completion of memref-lens; installed as
# share/bash-completion/completions/memref-lens, or source it in ~/.bashrc.

_memref_lens() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command="" word
  # An option with =value is three words to bash, since '=' breaks words.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi

  case $previous in
  --stage)
    COMPREPLY=($(compgen -W "0 1 2 3 4 5 6 7 8 final expand-realloc canonicalize
      ownership-based-buffer-deallocation canonicalize-2
      buffer-deallocation-simplification bufferization-lower-deallocations cse
      canonicalize-3" -- "$current"))
    return
    ;;
  --format)
    COMPREPLY=($(compgen -W "json text dot svg png html md sarif github" -- "$current"))
    return
    ;;
  --view)
    COMPREPLY=($(compgen -W "cfg lifetimes memory arena" -- "$current"))
    return
    ;;
  --emit)
    COMPREPLY=($(compgen -W "llvm marked attached" -- "$current"))
    return
    ;;
  --theme)
    COMPREPLY=($(compgen -W "light dark" -- "$current"))
    return
    ;;
  --detail)
    COMPREPLY=($(compgen -W "blocks ops" -- "$current"))
    return
    ;;
  --fail-on)
    COMPREPLY=($(compgen -W "error warning none" -- "$current"))
    return
    ;;
  --rules)
    COMPREPLY=($(compgen -W "rejected cost unsound" -- "$current"))
    return
    ;;
  --color)
    COMPREPLY=($(compgen -W "auto always never" -- "$current"))
    return
    ;;
  --pre)
    COMPREPLY=($(compgen -W "lift-cf-to-scf func.func(buffer-hoisting)
      func.func(buffer-loop-hoisting) func.func(promote-buffers-to-stack)
      func.func(optimize-allocation-liveness)" -- "$current"))
    return
    ;;
  --load-dialect-plugin | --load-pass-plugin)
    COMPREPLY=($(compgen -f -X '!*.so' -- "$current")
      $(compgen -d -- "$current"))
    return
    ;;
  --pipeline)
    COMPREPLY=($(compgen -W "classic hoist+classic ownership dynamic
      hoist+ownership loop-hoist+ownership stack+ownership
      drop-results+ownership out-params+ownership ownership+liveness ownership+last-use ownership+idle" \
      -- "$current"))
    return
    ;;
  --unregistered)
    COMPREPLY=($(compgen -W "assume-pure assume-reads reject" -- "$current"))
    return
    ;;
  --assume)
    COMPREPLY=($(compgen -W "fresh-results=@ keeps-results=@ no-capture=@
      returns-argument=@ keeps-argument=@ releases-argument=@" -- "$current"))
    return
    ;;
  --refine)
    COMPREPLY=($(compgen -W "distinct-objects" -- "$current"))
    return
    ;;
  --left | --right | --function | --op | --highlight | --timeout | --compile-timeout | --stage-timeout | --jobs | -j | \
    --bound | --path-seconds | --reduce-seconds | --try-ops | --skip-simplification-over | --help-uri-base)
    return
    ;;
  esac

  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
    trace | ir | explain | memory | run | export | check | compare | scopes | diff | bundle | help) command=$word && break ;;
    esac
  done
  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "trace ir explain memory run export check compare scopes diff bundle --help --version" \
      -- "$current"))
    return
  fi

  if [[ $current == -* ]]; then
    local flags="--function --private-function-dynamic-ownership --bufferize
      --pre --split-input-file --allow-unregistered-dialect --stage-timeout
      --load-dialect-plugin --load-pass-plugin --color --help"
    case $command in
    trace) flags+=" -o --output -j --jobs --format --pipeline --aliases --refine --assume
      --unregistered --skip-simplification-over" ;;
    memory) flags+=" -o --output -j --jobs --format --all --with-run --pipeline --refine --assume
      --unregistered --skip-simplification-over" ;;
    run) flags+=" -o --output --entry --arg --seed --stub --load --stage --lower --timeout --compile-timeout
      --memory --all --format --pipeline --refine --assume --unregistered
      --skip-simplification-over" ;;
    ir) flags+=" -o --output -j --jobs --stage --source-names --pipeline --refine --assume
      --unregistered --skip-simplification-over" ;;
    explain) flags+=" -o --output -j --jobs --pipeline --aliases --refine --assume --unregistered
      --op --format --reduce --reduce-seconds --skip-simplification-over" ;;
    export) flags+=" -o --output --format --view --stage --theme --detail
      --highlight --no-try --with-run --pipeline --aliases --refine --assume --unregistered
      --skip-simplification-over" ;;
    check) flags+=" -o --output --format --fail-on --rules --baseline --budget --with-run
      -j --jobs --bound --path-seconds --no-try --try-ops --all -v
      --verbose --help-uri-base --refine --assume --unregistered" ;;
    compare) flags+=" --timeout -q --quiet --before --after --pipelines
      --format -o --output" ;;
    diff) flags+=" -o --output --format --left --right --pipeline --aliases
      --refine --assume --unregistered" ;;
    bundle) flags+=" -o --output --timeout --pipeline --aliases --refine --assume
      --unregistered" ;;
    scopes) flags+=" -o --output --format --emit --no-scopes --keep-inlinable" ;;
    esac
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -f -X '!*.@(mlir|json|tar.gz)*' -- "$current")
    $(compgen -d -- "$current"))
}

complete -o filenames -F _memref_lens memref-lens
