"""Functions replaced, in a text, by a body that every stage accepts.

mlir-opt stops at the first function that a pass rejects, so the others of its
file can be compared only in a copy without it.
"""

import re

HEAD = re.compile(r'^[ \t]*func\.func\s+(?:\w+\s+)?@("[^"]*"|[\w$.-]+)\s*\(', re.M)
OPEN, CLOSE = "([{<", ")]}>"


def skip_token(text, at):
    """End of the string, comment or arrow at `at`; else of one character."""
    if text[at] == '"':
        end = at + 1
        while text[end] != '"':
            end += 2 if text[end] == "\\" else 1
        return end + 1
    if text.startswith("//", at):
        return text.index("\n", at)
    return at + 2 if text[at:at + 2] in ("->", "<=", ">=") else at + 1


def skip_group(text, at):
    """End of the bracket that opens at `at`."""
    depth = 0
    while True:
        after = skip_token(text, at)
        if after == at + 1:
            depth += (text[at] in OPEN) - (text[at] in CLOSE)
        at = after
        if depth == 0:
            return at


def skip_space(text, at):
    while at < len(text) and (text[at].isspace() or text.startswith("//", at)):
        at = skip_token(text, at)
    return at


def result_types(text, at):
    """(types, end) of the `-> ...` at `at`, if there is one."""
    at = skip_space(text, at)
    if not text.startswith("->", at):
        return [], at
    begin = at = skip_space(text, at + 2)
    if text[at] == "(":
        end = skip_group(text, at)
        return split_types(text[at + 1:end - 1]), end
    while at < len(text) and not text[at].isspace() and text[at] != "{":
        at = skip_group(text, at) if text[at] in "<(" else at + 1
    return [text[begin:at]], at


def split_types(text):
    """`T, T {attributes}` without the attributes."""
    parts, begin, at = [], 0, 0
    text += ","
    while at < len(text):
        if text[at] == ",":
            parts.append(text[begin:at])
            begin = at = at + 1
        elif text[at] in OPEN:
            at = skip_group(text, at)
        else:
            at = skip_token(text, at)
    return [re.sub(r"\s*\{.*", "", part, flags=re.S).strip()
            for part in parts if part.strip()]


def functions(text):
    """(name, types of the results, begin and end of the body) of each."""
    for head in HEAD.finditer(text):
        before = text.rfind("\n", 0, head.start(1))
        if "//" in text[before + 1:head.start(1)]:
            continue
        types, at = result_types(text, skip_group(text, head.end() - 1))
        at = skip_space(text, at)
        if text.startswith("attributes", at):
            at = skip_group(text, skip_space(text, at + len("attributes")))
            at = skip_space(text, at)
        if at < len(text) and text[at] == "{":
            yield head[1].strip('"'), types, at, skip_group(text, at)


def replace_bodies(text, names):
    """(`text` with other bodies for the functions `names`, those replaced)."""
    out, done, replaced = "", 0, []
    for name, types, begin, end in functions(text + "\n"):
        if name not in names or begin < done:
            continue
        replaced.append(name)
        values = [f"%poison{n}" for n in range(len(types))]
        body = [f"  {value} = ub.poison : {kind}"
                for value, kind in zip(values, types)]
        body.append("  return" + (f" {', '.join(values)} : {', '.join(types)}"
                                  if types else ""))
        out += text[done:begin] + "{\n" + "\n".join(body) + "\n}"
        done = end
    return out + text[done:], replaced
