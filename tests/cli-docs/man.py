"""The parts of the man page that are made of the tables of options."""
import re
import textwrap

BOLD = re.compile(r"`([^`]+)`")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
#: What the user puts something else for: "OUT" of " OUT", "NAME" of " @NAME=WHAT".
PLACEHOLDER = re.compile(r"(?<![\w.])[A-Z]+(?:\.\w+)?(?!\w)")
#: Forms of results, which stay as they are where a sentence begins with one.
FORMATS = ("html", "sarif")


def escaped(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def bold(text):
    return f"\\fB{text}\\fR"


def italic(text):
    return f"\\fI{text}\\fR"


def form(value):
    """"[=KIND]" with its placeholder in italics."""
    return re.sub(PLACEHOLDER, lambda found: italic(found[0]), escaped(value))


def head(option):
    names = [bold(escaped(name)) for name in option["names"].split(", ")]
    return ", ".join(names) + form(option["form"])


def marked(text, option):
    """The text with ` around each option and, where it marks none itself, each word
    that the option takes."""
    if "`" not in text:
        words = sorted(option["words"], key=len, reverse=True)
        if words:
            alternatives = "|".join(map(re.escape, words))
            text = re.sub(rf"(?<![\w+./-])(?:{alternatives})(?![\w+-]|\.\w)",
                          lambda found: f"`{found[0]}`", text)
        text = re.sub(OPTION, lambda found: f"`{found[0]}`", text)
    return text


def roff(text, placeholders):
    """One paragraph, filled."""
    def plain(part):
        part = escaped(part)
        return re.sub(PLACEHOLDER,
                      lambda found: italic(found[0]) if found[0] in placeholders
                      else found[0], part)

    parts = BOLD.split(text)
    # A space in bold must not be where a line is broken.
    made = "".join(bold(escaped(part).replace(" ", "\0")) if number % 2
                   else plain(part) for number, part in enumerate(parts))
    lines = textwrap.wrap(made, 84, break_long_words=False, break_on_hyphens=False)
    return [("\\&" if line[0] in ".'" else "") + line.replace("\0", " ")
            for line in lines]


def sentence(text, option):
    first = re.match(r"[\w.-]*", text)[0]
    if first and first not in (*option["words"], *FORMATS):
        text = text[0].upper() + text[1:]
    return text


def body(option):
    text = option["man"] or option["help"]
    placeholders = PLACEHOLDER.findall(option["form"])
    lines, verbatim = [], []
    paragraphs = text.split("\n")
    for number, line in enumerate(paragraphs):
        if line.startswith("  "):
            verbatim.append(escaped(line.strip()))
            continue
        if number == 0:
            line = sentence(line, option)
        if len(paragraphs) == 1 and not line.endswith("."):
            line += "."
        lines += [".br"] if number else []
        lines += roff(marked(line, option), placeholders)
    if verbatim:
        lines += [".RS", ".nf", *verbatim, ".fi", ".RE"]
    return lines


def rows(options):
    lines = []
    for option in options:
        lines += [".TP", head(option), *body(option)]
    return lines


def synopsis(tables):
    usages = ["memref-lens [options] FILE"]
    for command in tables["commands"]:
        about = command["about"].removeprefix("usage:").split("\n\n")[0]
        usages += [line.strip() for line in about.splitlines()]
    usages += ["memref-lens --version", "memref-lens [COMMAND] --help"]
    lines = []
    for usage in usages:
        words = re.sub(r"^(memref-lens(?: [a-z]+)?)", lambda found: f"`{found[0]}`",
                       usage)
        words = re.sub(r"(?<![\w-])-[-a-z]+", lambda found: f"`{found[0]}`",
                       words)
        names = [*PLACEHOLDER.findall(usage), "LINE", "COL"]
        lines += roff(words, names) + [".br"]
    return lines[:-1]


def options_of(command, tables):
    lines = rows(command["options"])
    shared = [option["names"].split(", ")[-1] for name in command["groups"]
              if name != "common" for option in tables["groups"][name]]
    if shared:
        names = [f"`{name}`" for name in dict.fromkeys(shared)]
        last = f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]
        lines += [".PP", *roff(f"Also takes {last}: see OPTIONS OF SEVERAL COMMANDS.",
                               [])]
    return lines


def shared_options(tables):
    lines = []
    for name, options in tables["groups"].items():
        if name == "common":
            continue
        takers = [command["name"] for command in tables["commands"]
                  if name in command["groups"]]
        last = " and ".join([", ".join(takers[:-1]), takers[-1]])
        lines += [f".SS Of {last}", *rows(options)]
    return lines


def section(command):
    """For a command that the page does not have yet."""
    usage, _, about = command["about"].partition("\n\n")
    first = usage.removeprefix("usage:").splitlines()[0].strip()
    name = first.replace(" [options]", "")
    lines = [f".SS {escaped(name).replace('memref' + chr(92) + '-', 'memref-')}"]
    for paragraph in about.strip().split("\n\n"):
        lines += roff(" ".join(paragraph.split()), []) + [".PP"]
    return lines[:-1] + [f'.\\" begin: options of {command["name"]}', '.\\" end']


REGION = re.compile(r'^(\.\\" begin: (.*)\n)(?:.*\n)*?(\.\\" end\n)', re.M)


def with_sections(page, tables):
    """The page with a section for each command that it lacks."""
    for command in tables["commands"]:
        if f'.\\" begin: options of {command["name"]}\n' not in page:
            lines = "\n".join(section(command)) + "\n"
            page = page.replace(".SH OPTIONS OF SEVERAL COMMANDS\n",
                                lines + ".SH OPTIONS OF SEVERAL COMMANDS\n")
    return page


def renewed(page, tables):
    """The page with what the tables say between its marks."""
    regions = {"synopsis": synopsis(tables),
               "options of several commands": shared_options(tables),
               "options of every command": rows(tables["groups"]["common"])}
    for command in tables["commands"]:
        regions[f"options of {command['name']}"] = options_of(command, tables)
    seen = set()

    def fill(found):
        seen.add(found[2])
        lines = regions.get(found[2])
        return found[0] if lines is None else \
            found[1] + "".join(line + "\n" for line in lines) + found[3]

    page = REGION.sub(fill, with_sections(page, tables))
    missing = sorted(set(regions) - seen)
    if missing or seen - set(regions):
        raise SystemExit(f"man page: marks {missing} are missing, "
                         f"{sorted(seen - set(regions))} mean nothing")
    return page
