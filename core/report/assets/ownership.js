// Who owns what at the event at hand: a table of values by blocks; for many
// blocks a line a value.

const tableColumns = 16;
const tableCells = 3000;

let ownershipValues = [];
let ownershipBlocks = [];
let ownershipNow = new Map(); // value -> block -> event

function ownershipChip(event) {
  const chip = make("button", "chip meaning-" + event.o[0], event.o[1]);
  chip.type = "button";
  chip.title = `${event.o[1]}: ${event.w}`;
  chip.dataset.at = view.fn.position.get(event.i);
  if (event === currentEvent()) {
    chip.classList.add("current");
  }
  return chip;
}

function valueHead(tag, id) {
  const head = make(tag, "value-name");
  head.append(token(valueOf(id).n, id, false));
  head.title = valueOf(id).t;
  return head;
}

/** Ownership set by the events up to the one at hand. */
function replayOwnership() {
  ownershipNow = new Map();
  const {events} = view.fn;
  for (let i = 0; i <= view.at && i < events.length; i++) {
    const event = events[i];
    if (!event.o || event.b === undefined) {
      continue;
    }
    if (!ownershipNow.has(event.v)) {
      ownershipNow.set(event.v, new Map());
    }
    ownershipNow.get(event.v).set(event.b, event);
  }
}

function ownershipTable() {
  const table = make("table");
  const head = make("tr");
  head.append(make("th", "", "Value"));
  for (const block of ownershipBlocks) {
    const cell = make("th", "", blockName(block));
    cell.scope = "col";
    const event = currentEvent();
    cell.classList.toggle("here", Boolean(event) && event.b === block);
    head.append(cell);
  }
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  for (const id of ownershipValues) {
    const row = make("tr");
    const name = valueHead("th", id);
    name.scope = "row";
    row.append(name);
    for (const block of ownershipBlocks) {
      const cell = make("td");
      const event = ownershipNow.get(id)?.get(block);
      if (event) {
        cell.append(ownershipChip(event));
      }
      row.append(cell);
    }
    body.append(row);
  }
  table.append(top, body);
  return table;
}

const ownershipBox = element("ownership");
let ownershipRows = null;

function ownershipRow(i) {
  const id = ownershipValues[i];
  const row = make("div", "owner");
  row.append(valueHead("span", id));
  const cells = [...(ownershipNow.get(id) || [])];
  for (const [block, event] of cells.slice(0, 30)) {
    row.append(make("span", "block", blockName(block)), ownershipChip(event));
  }
  if (cells.length > 30) {
    row.append(`and ${cells.length - 30} more blocks`);
  }
  return row;
}

function drawOwnership() {
  if (!ownershipValues.length) {
    ownershipBox.replaceChildren(make("p", "nothing",
        "No ownership was decided in this function."));
    return;
  }
  const small = ownershipBlocks.length <= tableColumns &&
      ownershipValues.length * ownershipBlocks.length <= tableCells;
  if (small) {
    ownershipBox.replaceChildren(ownershipTable());
    return;
  }
  if (!ownershipRows) {
    ownershipRows = new RowList(ownershipBox, 30, ownershipRow);
  }
  ownershipBox.replaceChildren(ownershipRows.spacer);
  ownershipRows.setCount(ownershipValues.length);
}

ownershipBox.addEventListener("click", (click) => {
  const chip = click.target.closest("[data-at]");
  if (chip) {
    goTo(Number(chip.dataset.at));
  }
});

function showOwnership() {
  if (element("ownership-pane").hidden) {
    return;
  }
  replayOwnership();
  drawOwnership();
  const {events} = view.fn;
  element("ownership-note").textContent = events.length ?
      `After event ${view.at + 1} of ${events.length}; the last one has all.` :
      "";
  const event = currentEvent();
  const current = ownershipBox.querySelector(".chip.current");
  if (current) {
    current.scrollIntoView({block: "nearest", inline: "nearest"});
  } else if (event && ownershipRows && ownershipValues.includes(event.v)) {
    ownershipRows.reveal(ownershipValues.indexOf(event.v));
  }
}

panes.push({
  load() {
    const decided = view.fn.events.filter((e) => e.o && e.b !== undefined);
    ownershipValues = [...new Set(decided.map((event) => event.v))]
        .filter((id) => valueOf(id)).sort((a, b) => a - b);
    ownershipBlocks = [...new Set(decided.map((event) => event.b))]
        .sort((a, b) => a - b);
  },
  step: showOwnership,
  tab: showOwnership,
  print: showOwnership,
});
