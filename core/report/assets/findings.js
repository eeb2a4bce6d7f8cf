// What check finds: a table to sort, and the steps of a finding's path to walk.

const told = readData("findings");
const severities = ["error", "warning", "remark", "note"];
const columns = {
  severity: (one) => severities.indexOf(one.severity),
  rule: (one) => one.rule,
  function: (one) => one.name,
  line: (one) => one.at[1],
  message: (one) => one.at[0],
};

const walk = {finding: null, step: -1};
let sortedBy = "severity", isDown = false;

/** Shows a place: its function, its line and its block in the graph. */
function showPlace([, line, , block, fn]) {
  if (fn >= 0 && (!view.fn || view.fn.id !== fn)) {
    openFunction(fn);
  }
  if (!view.fn) {
    return;
  }
  if (element("graph-pane").hidden) {
    showTab("graph");
  }
  graph.mark(block >= 0 ? block : undefined);
  showLine(line);
}

function showWalk() {
  const {finding, step} = walk;
  element("finding").hidden = !finding;
  for (const row of element("findings-table").tBodies[0].rows) {
    const isOpen = told.findings[Number(row.dataset.finding)] === finding;
    row.setAttribute("aria-selected", String(isOpen));
  }
  if (!finding) {
    return;
  }
  const {path} = finding;
  element("path-buttons").hidden = path.length === 0;
  element("path-previous").disabled = step <= 0;
  element("path-next").disabled = step >= path.length - 1;
  element("path-count").textContent = step < 0 ?
    `${path.length} steps` : `${step + 1} / ${path.length}`;
  const line = (className, text) => make("li", className, text);
  const at = ([text, number]) => number ? `${number}: ${text}` : text;
  element("finding-notes").replaceChildren(
      ...path.map((note, i) => {
        const item = line("step", at(note));
        item.dataset.step = i;
        if (i === step) {
          item.setAttribute("aria-current", "step");
        }
        return item;
      }),
      ...finding.facts.map((note) => line("fact", at(note))),
      ...finding.remedies.map((text) => line("remedy", "→ " + text)));
  element("finding").querySelector("[aria-current]")
      ?.scrollIntoView({block: "nearest"});
}

function openFinding(number) {
  walk.finding = told.findings[number];
  walk.step = -1;
  showPlace(walk.finding.at);
  showWalk();
}

function goToStep(step) {
  const path = walk.finding ? walk.finding.path : [];
  if (step < 0 || step >= path.length) {
    return;
  }
  walk.step = step;
  showPlace(path[step]);
  showWalk();
}

function drawFindings() {
  const value = columns[sortedBy];
  const order = told.findings.map((_, i) => i).sort((a, b) => {
    const [x, y] = [value(told.findings[a]), value(told.findings[b])];
    const less = x < y ? -1 : x > y ? 1 : 0;
    return (isDown ? -less : less) || a - b;
  });
  element("findings-table").tBodies[0].replaceChildren(...order.map((i) => {
    const one = told.findings[i];
    const row = make("tr", "severity-" + one.severity);
    row.dataset.finding = i;
    row.tabIndex = 0;
    row.append(make("td", "severity", one.severity), make("td", "rule", one.rule),
        make("td", "name", one.name ? "@" + one.name : ""),
        make("td", "line-number", one.at[1] ? String(one.at[1]) : ""),
        make("td", "message", one.at[0]));
    return row;
  }));
  for (const head of element("findings-table").tHead.rows[0].cells) {
    const isBy = head.dataset.column === sortedBy;
    head.setAttribute("aria-sort",
        isBy ? isDown ? "descending" : "ascending" : "none");
  }
  showWalk();
}

function showFindings(on) {
  element("findings-pane").hidden = !on;
  element("findings-button").setAttribute("aria-expanded", String(on));
}

element("causes-head").textContent = told.head;
element("causes").replaceChildren(...told.causes.map((one) => {
  const item = make("li", "cause");
  const place = make("button", "", one.at[0]);
  place.type = "button";
  place.addEventListener("click", () => showPlace(one.at));
  item.append(place);
  if (one.costs) {
    item.append(make("div", "costs", one.costs));
  }
  if (one.run) {
    item.append(make("div", "costs", one.run));
  }
  for (const fix of one.fixes) {
    item.append(make("div", "advice", "fix: " + fix));
  }
  if (one.advice) {
    item.append(make("div", "advice", "→ " + one.advice));
  }
  return item;
}));
element("causes").hidden = told.causes.length === 0;

element("findings-button").textContent = `Findings ${told.findings.length}`;
element("findings-button").addEventListener("click",
    () => showFindings(element("findings-pane").hidden));
element("findings-table").addEventListener("click", (event) => {
  const head = event.target.closest("th");
  const row = event.target.closest("tr[data-finding]");
  if (head) {
    isDown = sortedBy === head.dataset.column && !isDown;
    sortedBy = head.dataset.column;
    drawFindings();
  } else if (row) {
    openFinding(Number(row.dataset.finding));
  }
});
element("findings-table").addEventListener("keydown", (event) => {
  const row = event.target.closest("tr[data-finding]");
  if (row && event.key === "Enter") {
    openFinding(Number(row.dataset.finding));
    event.preventDefault();
  }
});
element("finding-notes").addEventListener("click", (event) => {
  const item = event.target.closest("[data-step]");
  if (item) {
    goToStep(Number(item.dataset.step));
  }
});
element("path-previous").addEventListener("click", () => goToStep(walk.step - 1));
element("path-next").addEventListener("click", () => goToStep(walk.step + 1));

element("bounds").textContent = told.bounds;
element("explored").replaceChildren(...told.explored.map(([name, bounds, all]) =>
  make("li", all ? "" : "stopped", `@${name}: ${bounds}`)));
