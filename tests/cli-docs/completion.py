"""The completions of bash, zsh and fish, made of the tables of options."""
import collections
import re


def names_of(option):
    return option["names"].split(", ")


def visible(options):
    """Each option once. A row without a brief text describes another form of one."""
    first = {}
    for option in options:
        if option["brief"]:
            first.setdefault(option["names"], option)
    return list(first.values())


def raw_options(command, tables):
    """Its rows and those of its groups."""
    rows = list(command["options"])
    for name in command["groups"]:
        rows += tables["groups"][name]
    return rows


def all_options(command, tables):
    return visible(raw_options(command, tables))


def filled(words, indent, width=84):
    lines = [""]
    for word in words:
        if lines[-1] and len(indent) + len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return ("\n" + indent).join(lines)


#===--- bash ---===#

BASH = r'''# Bash completion of memref-lens; installed as
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
    @COMMANDS@ | help) command=$word && break ;;
    esac
  done

  # A file without a command is checked.
  case ${command:-check}:$previous in
@VALUES@  esac

  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "@NAMES@
      --help --version" -- "$current"))
    return
  fi
  if [[ $current == -* ]]; then
    local flags="@COMMON@"
    case $command in
@FLAGS@    esac
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -f -X '!*.@(mlir|json|tar.gz)*' -- "$current")
    $(compgen -d -- "$current"))
}

complete -o filenames -F _memref_lens memref-lens
'''


def bash_action(option):
    if option["words"]:
        words = filled(option["words"], "      ")
        return f'COMPREPLY=($(compgen -W "{words}" -- "$current"))'
    if option["files"] == "*":
        return 'COMPREPLY=($(compgen -f -- "$current"))'
    if option["files"]:
        return (f"COMPREPLY=($(compgen -f -X '!{option['files']}' -- \"$current\")\n"
                '      $(compgen -d -- "$current"))')
    return None


def bash(tables):
    commands = [command["name"] for command in tables["commands"]]
    takers = collections.defaultdict(list)
    for command in tables["commands"]:
        for option in all_options(command, tables):
            if option["form"] and not option["form"].startswith("[") or option["words"]:
                for name in names_of(option):
                    takers[bash_action(option)].append(f"{command['name']}:{name}")
    values = ""
    for action, places in takers.items():
        # One pattern for an option that means the same wherever it is.
        byName = collections.defaultdict(list)
        for place in places:
            byName[place.split(":")[1]].append(place)
        patterns = []
        for name, ofName in byName.items():
            elsewhere = any(place.endswith(":" + name) for other, others in
                            takers.items() if other != action for place in others)
            patterns += ofName if elsewhere else ["*:" + name]
        lines, line = [], ""
        for pattern in patterns:
            joined = f"{line} | {pattern}" if line else pattern
            if line and len(joined) > 76:
                lines.append(line + " | \\")
                joined = pattern
            line = joined
        lines.append(line)
        values += "  " + "\n    ".join(lines) + ")\n"
        values += f"    {action}\n" if action else ""
        values += "    return\n    ;;\n"
    common = {option["names"] for option in tables["groups"]["common"]}
    flags = ""
    for command in tables["commands"]:
        own = [name for option in all_options(command, tables)
               if option["names"] not in common for name in names_of(option)]
        flags += f"    {command['name']}) flags+=\" {filled(own, '      ')}\" ;;\n"
    return (BASH.replace("@COMMANDS@", " | ".join(commands))
            .replace("@NAMES@", " ".join(commands))
            .replace("@COMMON@", filled(
                [name for option in visible(tables["groups"]["common"])
                 for name in names_of(option)], "      "))
            .replace("@VALUES@", values).replace("@FLAGS@", flags))


#===--- zsh ---===#

ZSH = r'''#compdef memref-lens
# Zsh completion of memref-lens; put it in a folder of $fpath.
# Made by tests/cli-docs/check_docs.py --update.

_memref-lens() {
  local -a commands=(
@COMMANDS@  )
@GROUPS@  local context state line
  _arguments -C '(- *)--help[usage]' '(- *)--version[versions]' \
    '1:command:->command' '*::argument:->arguments'
  case $state in
  command)
    _describe command commands
    ;;
  arguments)
    case $words[1] in
@CASES@    esac
    ;;
  esac
}

_memref-lens "$@"
'''


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_files(pattern):
    return "_files" if pattern == "*" else f'_files -g "{pattern}"'


def zsh_action(option):
    if option["words"]:
        words = " ".join(re.sub(r"([():])", r"\\\1", word) for word in option["words"])
        return f"({words})"
    return zsh_files(option["files"]) if option["files"] else ""


def zsh_spec(option):
    names, value = names_of(option), option["form"]
    brief = re.sub(r"([\[\]:])", r"\\\1", option["brief"])
    separator = "=-" if value.startswith("[") else "=" if value.startswith("=") else ""
    rest = f"{separator}[{brief}]"
    if value:
        message = re.sub(r"[^\w.]+", " ", value).strip().lower()
        colons = "::" if value.startswith("[") else ":"
        rest += f"{colons}{message}:{zsh_action(option)}"
    if option["names"] == "--help":
        return quoted("(- *)--help" + rest)
    if len(names) > 1:
        return f"'({' '.join(names)})'{{{','.join(names)}}}{quoted(rest)}"
    return quoted(("*" if option["repeated"] else "") + names[0] + rest)


def zsh_rows(specs, indent):
    return "".join(f"{indent}{spec}\n" for spec in specs)


def zsh(tables):
    commands = zsh_rows([quoted(f"{command['name']}:{command['brief']}")
                         for command in tables["commands"]], "    ")
    groups, known = "", {}
    for name, options in tables["groups"].items():
        specs = [zsh_spec(option) for option in visible(options)]
        known[name] = bool(specs)
        groups += f"  local -a {name}=(\n{zsh_rows(specs, '    ')}  )\n"
    cases = ""
    for command in tables["commands"]:
        specs = [zsh_spec(option) for option in visible(command["options"])]
        about = command["about"].split("\n\n")[0].splitlines()[0]
        files = zsh_files(command["files"])
        if "FILE FILE" in about:
            specs += [quoted(f"{number}:file:{files}") for number in (1, 2)]
        else:
            place = "*" if "FILE..." in about else "1"
            specs.append(quoted(f"{place}:file:{files}"))
        shared = " ".join(f"${name}" for name in command["groups"] if known[name])
        cases += (f"    {command['name']})\n      _arguments {shared} \\\n        "
                  + " \\\n        ".join(specs) + "\n      ;;\n")
    return (ZSH.replace("@COMMANDS@", commands).replace("@GROUPS@", groups)
            .replace("@CASES@", cases))


#===--- fish ---===#

FISH = '''# Fish completion of memref-lens; put it in ~/.config/fish/completions.
# Made by tests/cli-docs/check_docs.py --update.

set -l commands @COMMANDS@
'''


def fish_names(option):
    return " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                    for name in names_of(option))


def fish_value(option):
    if not option["form"] or option["form"].startswith("["):
        return ""
    if option["words"]:
        words = " ".join(f'"{word}"' if re.search(r"[()]", word) else word
                         for word in option["words"])
        return f" -x -a '{words}'"
    return " -r -F" if option["files"] else " -x"


def fish_quoted(text):
    return f'"{text}"' if "'" in text else f"'{text}'"


def fish(tables):
    names = [command["name"] for command in tables["commands"]]
    text = FISH.replace("@COMMANDS@", " ".join(names)) + "\n"
    none = 'complete -c memref-lens -n "not __fish_seen_subcommand_from $commands"'
    for command in tables["commands"]:
        text += f"{none} -f -a {command['name']} -d {fish_quoted(command['brief'])}\n"
    text += f"{none} -l version -d 'versions'\ncomplete -c memref-lens -l help -d 'usage'\n\n"
    takers = {}
    for command in tables["commands"]:
        for option in all_options(command, tables):
            line = (f"{fish_names(option)}{fish_value(option)} "
                    f"-d {fish_quoted(option['brief'])}")
            takers.setdefault(line, []).append(command["name"])
    for line, commands in takers.items():
        if line.startswith("-l help "):
            continue
        whose = ('"__fish_seen_subcommand_from $commands"' if commands == names else
                 f"'__fish_seen_subcommand_from {' '.join(commands)}'")
        text += f"complete -c memref-lens -n {whose} {line}\n"
    return text
