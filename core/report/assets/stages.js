// The IR after each stage, and what the stage changed.

/** Lines of each stage with marks, from the differences that are stored. */
function stageTexts(stages) {
  let before = [];
  return stages.map((stage) => {
    if (!stage.d) {
      return {rows: null, lines: before};
    }
    const rows = [];
    let at = 0;
    for (const step of stage.d) {
      if (Array.isArray(step)) {
        step.forEach((text) => rows.push({mark: "+", text}));
      } else {
        const mark = step < 0 ? "-" : " ";
        for (const text of before.slice(at, at + Math.abs(step))) {
          rows.push({mark, text});
        }
        at += Math.abs(step);
      }
    }
    before = rows.filter((row) => row.mark !== "-").map((row) => row.text);
    return {rows, lines: before};
  });
}

/** Number of the program between the steps of one-shot-bufferize, of which no
 * stage is made. */
const tensorCopies = -2;

function stageName(number) {
  return view.fn.stages[number]?.n ?? "not reached";
}

const stageView = {number: 0, mode: "changes", rows: [], open: new Set()};

/** Long runs of equal lines become one row that opens when it is clicked. */
function folded(rows, isSame) {
  const context = 3;
  const out = [];
  for (let i = 0; i < rows.length;) {
    let end = i;
    while (end < rows.length && isSame(rows[end])) {
      end++;
    }
    const from = i === 0 ? i : i + context;
    const to = end === rows.length ? end : end - context;
    if (to - from > 4 && !stageView.open.has(from)) {
      out.push(...rows.slice(i, from), {fold: to - from, key: from},
          ...rows.slice(to, end));
    } else {
      out.push(...rows.slice(i, end));
    }
    i = end;
    while (i < rows.length && !isSame(rows[i])) {
      out.push(rows[i++]);
    }
  }
  return out;
}

/** Dropped lines left of the added ones. */
function sideBySide(rows) {
  const out = [];
  for (let i = 0; i < rows.length;) {
    if (rows[i].mark === " ") {
      out.push({left: rows[i], right: rows[i]});
      i++;
      continue;
    }
    const left = [], right = [];
    for (; i < rows.length && rows[i].mark !== " "; i++) {
      (rows[i].mark === "-" ? left : right).push(rows[i]);
    }
    for (let k = 0; k < Math.max(left.length, right.length); k++) {
      out.push({left: left[k] || null, right: right[k] || null});
    }
  }
  return out;
}

function irLine(row, className) {
  const line = make("div", "line " + className);
  if (!row) {
    line.classList.add("void");
    return line;
  }
  const kinds = {"+": "added", "-": "removed", " ": "same"};
  line.classList.add(kinds[row.mark]);
  line.append(make("span", "mark", row.mark));
  addTokens(line, row.text);
  return line;
}

const stageList = new RowList(element("stage"), 20, (i) => {
  const row = stageView.rows[i];
  if (row.fold) {
    const line = make("button", "line fold", `⋯ ${row.fold} equal lines`);
    line.type = "button";
    line.addEventListener("click", () => {
      stageView.open.add(row.key);
      drawStage();
    });
    return line;
  }
  if ("left" in row) {
    const line = make("div", "sides");
    line.append(irLine(row.left, "side"), irLine(row.right, "side"));
    return line;
  }
  return irLine(row, "");
});

function drawStage() {
  const {rows, lines} = view.fn.texts[stageView.number];
  const whole = lines.map((text) => ({mark: " ", text}));
  const first = stageView.number <= 0;
  if (first || stageView.mode === "whole") {
    const added = new Set();
    let at = 0;
    for (const row of first ? [] : rows || []) {
      if (row.mark === "+") {
        added.add(at);
      }
      at += row.mark === "-" ? 0 : 1;
    }
    stageView.rows = whole.map((row, i) =>
      added.has(i) ? {mark: "+", text: row.text} : row);
  } else if (stageView.mode === "sides") {
    stageView.rows = folded(sideBySide(rows || whole),
        (row) => row.left === row.right);
  } else {
    stageView.rows = folded(rows || whole, (row) => row.mark === " ");
  }
  stageList.setCount(stageView.rows.length);
}

function stageButton(number, text, title) {
  const button = make("button", "stage", text);
  button.type = "button";
  button.title = title;
  button.setAttribute("aria-pressed", String(number === stageView.number));
  button.addEventListener("click", () => showStage(number));
  return button;
}

/** A stage's name and, in a trace of another tool's run, how it stands to it. */
function stageTitle(stage) {
  return stage.w ? `${stage.n}: ${stage.w}` : stage.n;
}

/** Stages that changed nothing are one button each run, until one is chosen. */
function drawStrip() {
  const {stages} = view.fn;
  const strip = [];
  if (view.fn.copies) {
    strip.push(stageButton(tensorCopies, "tensor-copies",
        "between the steps of one-shot-bufferize: copies on tensors, " +
        "no memref"));
  }
  for (let i = 0; i < stages.length;) {
    let end = i;
    while (end < stages.length && end > 0 && !stages[end].d &&
           !stages[end].different) {
      end++;
    }
    const quiet = end - i;
    if (quiet > 1 && (stageView.number < i || stageView.number >= end)) {
      const title = stages.slice(i, end).map(stageTitle).join("\n");
      const button = stageButton(i, `${i}–${end - 1} unchanged`, title);
      button.classList.add("quiet");
      strip.push(button);
      i = end;
      continue;
    }
    const stage = stages[i];
    const what = stage.absent ? " not reached" :
      stage.different ? " differs" : stage.d ? "" : " unchanged";
    const button = stageButton(i, `${i} ${stage.n}${what}`, stageTitle(stage));
    button.classList.toggle("quiet", !stage.d && !stage.different);
    strip.push(button);
    i++;
  }
  element("stage-strip").replaceChildren(...strip);
  for (const button of element("stage-mode").children) {
    button.setAttribute("aria-pressed",
        String(button.dataset.mode === stageView.mode));
  }
}

function showStage(number) {
  if (number !== stageView.number) {
    stageView.open.clear();
    element("stage").scrollTop = 0;
  }
  stageView.number = number;
  drawStrip();
  drawStage();
}

element("stage-mode").addEventListener("click", (event) => {
  if (event.target.dataset.mode) {
    stageView.mode = event.target.dataset.mode;
    showStage(stageView.number);
  }
});

panes.push({
  load() {
    stageView.number = 0;
    stageView.open.clear();
    showStage(0);
  },
  step() {
    const event = currentEvent();
    if (event && event.s !== stageView.number && view.fn.stages[event.s]) {
      showStage(event.s);
    }
  },
});
