"""Holds pictures of a run without the ownership pass to its trace: each alias,
copy, free and hoisted allocation has its chip, at its block, and no other has.

Derived anew from the events, as check.py does for the ownership pass.
"""
import collections
import re


def optionsOf(path):
    """Those of a sample that asks for another pipeline; else none."""
    found = re.search(r"(?m)^// options: (.*--pipeline.*)$",
                      open(path, encoding="utf-8", errors="replace").read())
    return found[1].split() if found else []


class PlacementChecker:
    def __init__(self, facts, graph):
        self.facts, self.graph, self.lies = facts, graph, []
        self.events = facts.byFunction[graph["function"]]
        self.data = facts.trace
        # A region in which nothing is decided is one line.
        self.drawn = {node["block"] for node in graph["nodes"]
                      if node["kind"] == "block"}
        self.erased = {op for event in self.events
                       if event["kind"] == "rewrite"
                       for op in event.get("erased", [])}

    def lie(self, *words):
        self.lies.append(
            f"{self.graph['title']}: " + " ".join(map(str, words)))

    def ofKind(self, kind):
        return [event for event in self.events if event["kind"] == kind]

    def rows(self, kind):
        """{block: its chips}"""
        found = collections.defaultdict(list)
        for node in self.graph["nodes"]:
            if node["kind"] == "block":
                for row in node.get("rows", []):
                    if row["kind"] == kind:
                        found[node["block"]] += row["chips"]
        return found

    def same(self, what, kind, wanted):
        """`wanted`: {(block, event): whether it is gone in the end}."""
        got = {(block, chip["event"]): chip.get("never", False)
               for block, chips in self.rows(kind).items() for chip in chips}
        if got != wanted:
            self.lie(what, "are", got, "not", wanted)

    def isErased(self, value):
        return self.data["values"][value].get("op", -1) in self.erased

    def check(self):
        homes = {event["value"]: event["to"] for event in self.ofKind("move")
                 if event.get("to", -1) >= 0 and event.get("value", -1) >= 0}
        blocks = {result: block["id"] for block in self.data["blocks"]
                  for op in block.get("ops", [])
                  for result in self.data["ops"][op].get("results", [])}
        self.same("allocations", "allocated", {
            **{(blocks[event["value"]], event["id"]): event["value"] in homes
               for event in self.ofKind("candidate")},
            **{(event["to"], event["id"]): False
               for event in self.ofKind("move")
               if event.get("to", -1) == homes.get(event.get("value"), -2)}})
        self.checkAliases()
        self.same("clones", "cloned", {
            (event["block"], event["id"]): self.isErased(event["clone"])
            for event in self.ofKind("copy")
            if event["clone"] != event["operand"]})
        self.same("deallocs", "deallocated", {
            (event["block"], event["id"]): event["dealloc"] in self.erased
            for event in self.ofKind("free") if event.get("dealloc", -1) >= 0})
        self.checkResults()
        self.checkEdges()
        return self.lies

    def checkAliases(self):
        """One chip a name: that it is critical, or else what it may be."""
        critical = {event["value"]: event for event in self.ofKind("critical")}
        wanted = {}
        for event in self.ofKind("alias"):
            value = event["value"]
            first = wanted.get((event["block"], value))
            if value not in critical and first is None and \
                    event["block"] in self.drawn:
                wanted[event["block"], value] = event["id"]
        for value, event in critical.items():
            wanted[event["block"], value] = event["id"]
        got = {(block, chip["value"]): chip["event"]
               for block, chips in self.rows("aliases").items()
               for chip in chips}
        if got != wanted:
            self.lie("aliases are", got, "not", wanted)

    def checkResults(self):
        got = sorted(chip["event"] for node in self.graph["nodes"]
                     if node["kind"] == "result"
                     for row in node.get("rows", []) for chip in row["chips"])
        body = self.data["functions"][self.graph["function"]].get("blocks", [])
        kept = [event for event in self.ofKind("free")
                if event.get("dealloc", -1) < 0]
        returned = [event for event in kept if event["block"] in body
                    and not self.data["blocks"][event["block"]].get(
                        "successors")]
        wanted = sorted(event["id"] for event in returned)
        if got != wanted:
            self.lie("what the caller gets is", got, "not", wanted)
        self.same("what is passed on", "ownership", {
            (event["block"], event["id"]): False
            for event in kept if event not in returned})

    def checkEdges(self):
        """Each copy that stays is on an edge that it is made for, and each flow
        between the user's values has its edge."""
        name = lambda value: "%" + self.data["values"][value].get("name", "")
        texts = [re.sub(r"^\S+ (?=copy of)", "", chip["text"])
                 for edge in self.graph["edges"] for chip in edge["chips"]]
        staying = {(event["operand"], event["value"])
                   for event in self.ofKind("copy")
                   if event["clone"] != event["operand"]
                   and not self.isErased(event["clone"])}
        for operand, value in staying:
            if f"copy of {name(operand)} → {name(value)}" not in texts:
                self.lie("copy of", name(operand), "is on no edge to",
                         name(value))
        for event in self.ofKind("alias"):
            flow = f"{name(event['source'])} → {name(event['value'])}"
            if event.get("link", "view") not in ("view", "select") and \
                    event["block"] in self.drawn and not any(text.endswith(flow) for text in texts):
                self.lie(flow, "is on no edge")
        known = {(event["source"], event["value"])
                 for event in self.ofKind("alias")}
        for text in texts:
            if not any(text.endswith(f"{name(source)} → {name(value)}")
                       for source, value in known):
                self.lie(text, "is no flow of the trace")
