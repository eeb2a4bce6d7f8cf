// What is shown, and who is told when it changes.

const view = {
  fn: null, // data of the function shown
  at: 0, // position in fn.events
  value: null, // id of the value selected
  name: "", // its name, by which text of a stage is matched
};

/** Panes: {load(), step(), pick()}; each method is optional. */
const panes = [];

function tell(what) {
  for (const pane of panes) {
    if (pane[what]) {
      pane[what]();
    }
  }
}

function element(id) {
  return document.getElementById("ml-" + id);
}

/** Text is only ever set as text: nothing of the data becomes markup. */
function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) {
    node.className = className;
  }
  if (text !== undefined) {
    node.textContent = text;
  }
  return node;
}

function readData(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

const index = readData("index");

function currentEvent() {
  return view.fn.events[view.at];
}

function valueOf(id) {
  return view.fn.values[id];
}

function blockName(id) {
  const block = view.fn.blocks[id];
  return block ? block[0] : "";
}

/** Adds what steps of this session look up again and again. */
function prepare(fn) {
  fn.byName = new Map();
  for (const [id, value] of Object.entries(fn.values)) {
    if (!fn.byName.has(value.n)) {
      fn.byName.set(value.n, Number(id));
    }
  }
  fn.position = new Map(fn.events.map((event, i) => [event.i, i]));
  fn.texts = stageTexts(fn.stages);
  if (fn.copies) {
    fn.texts[tensorCopies] = {rows: null, lines: fn.copies};
  }
  return fn;
}

const prepared = new Map();

function functionData(id) {
  if (!prepared.has(id)) {
    prepared.set(id, prepare(readData("function-" + id)));
  }
  return prepared.get(id);
}

// Strings are matched first, so that a `%a` inside one is no value.
const tokens = /"(?:[^"\\]|\\.)*"|%[A-Za-z0-9_$.-]+(?:#\d+)?/g;

/** Calls plain(text) and named(text, id) for the parts of a text, in order. */
function forTokens(text, plain, named) {
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const id = view.fn.byName.get(match[0]);
    if (id === undefined) {
      continue;
    }
    if (match.index > end) {
      plain(text.slice(end, match.index));
    }
    named(match[0], id);
    end = match.index + match[0].length;
  }
  if (end < text.length) {
    plain(text.slice(end));
  }
}

function token(text, id, byName) {
  const node = make("span", "token", text);
  node.dataset.value = id;
  if (byName) {
    node.dataset.byName = "";
  }
  light(node);
  return node;
}

function addTokens(node, text) {
  forTokens(text, (part) => node.append(part),
      (part, id) => node.append(token(part, id, true)));
}

/** The tensor whose buffer a memref is, which is selected with it; else the value
    itself. */
function tensorOf(id) {
  const stood = valueOf(valueOf(id)?.s);
  return stood && stood.t.startsWith("tensor<") ? valueOf(id).s : id;
}

/** In the source and in pictures ids are exact; in text of a stage a name is
    all that there is. */
function light(node) {
  const id = Number(node.dataset.value);
  const value = valueOf(id);
  const lit = view.value !== null &&
      (tensorOf(id) === tensorOf(view.value) ||
       ("byName" in node.dataset && value && value.n === view.name));
  node.classList.toggle("lit", lit);
}

function lightAll() {
  for (const node of document.querySelectorAll("[data-value]")) {
    light(node);
  }
}
