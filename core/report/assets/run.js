// What one run counted: what happened and went wrong, the graph of what ran, and
// how often each op of the function did.

const runGraph = new Drawing("run-graph");

function runLine(className, text, action) {
  const item = make("li", className);
  if (action) {
    item.append(placeButton(text, action));
  } else {
    item.append(text);
  }
  return item;
}

/** Of the whole run; the same for all functions. */
function tellRun() {
  const {verdict, faults, remarks} = index.run;
  const list = make("ul");
  list.append(
      ...faults.map(([text, line, fn]) => runLine("fault", text,
          line && fn >= 0 ? () => {
            if (view.fn.id !== fn) {
              openFunction(fn);
            }
            showLine(line);
          } : null)),
      ...remarks.map((text) => runLine("", text)));
  element("run-told").replaceChildren(make("p", "verdict", verdict), list);
}

function runTable([title, rows]) {
  const table = make("table");
  table.append(make("caption", "", title));
  const body = make("tbody");
  for (const [times, op, words, line] of rows) {
    const row = make("tr");
    row.append(make("td", "times", `${times}x`));
    const cell = make("td");
    cell.append(line ? placeButton(op, () => showLine(line)) : op);
    row.append(cell, make("td", "", words));
    body.append(row);
  }
  table.append(body);
  return table;
}

/** A wide graph is not looked at from its empty corner. */
function showEntry() {
  const entry = runGraph.svg && runGraph.svg.querySelector(".node");
  if (entry && runGraph.box.clientHeight) {
    runGraph.show(entry);
  }
}

function showRun() {
  const {run} = view.fn;
  const note = !run ? "not of the program that ran" :
    !run.graph && !run.graphNote ? "did not run" : run.graphNote || "";
  element("run-note").textContent = note;
  element("run-note").hidden = !note;
  element("run-graph").hidden = !run || !run.graph;
  runGraph.load(run && run.graph);
  showEntry();
  element("run-tables").hidden = !run || run.tables.length === 0;
  element("run-tables").replaceChildren(...(run ? run.tables : []).map(runTable));
}

if (index.run) {
  tellRun();
  panes.push({
    load: showRun,
    tab() {
      runGraph.size();
      showEntry();
    },
  });
}
