// Live bytes over the steps on a canvas, and who is alive at the mouse. Of the
// steps that share a column the one with the most bytes is drawn, so that no
// zoom hides the peak.

const plot = {
  memory: null,
  space: 0, // which of the function's memory spaces
  from: 0, // steps in sight
  to: 1,
  hovered: -1,
  pinned: -1,
  shown: -1, // step of the list
  columns: [],
  drag: null,
};
const plotAxis = 76;
const plotHead = 18;
const plotFoot = 18;

/** Bytes of each step, from step and bytes where these change. */
function bytesOfSteps(changes, count) {
  const bytes = new Float64Array(count);
  changes.forEach(([step, value], i) =>
    bytes.fill(value, step, i + 1 < changes.length ? changes[i + 1][0] : count));
  return bytes;
}

/** One for each memory space of the function. */
function memoryOf(fn) {
  const given = fn.memory && fn.memory[Math.min(plot.space,
      fn.memory.length - 1)];
  if (given && !given.curves) {
    const count = given.places.length;
    given.curves = [given.liveOnAnyPath, given.liveAfterLastUse, given.needed]
        .map((changes) => bytesOfSteps(changes, count));
  }
  return given;
}

function byteWords(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < units.length) {
    bytes /= 1024;
    unit += 1;
  }
  // A half goes to the even number, as the other texts round it.
  const tenths = bytes * 10;
  const rounded = Math.round(tenths) - (tenths % 2 === 0.5 ? 1 : 0);
  const words = Number.isInteger(bytes) ? bytes : (rounded / 10).toFixed(1);
  return `${words} ${units[unit]}`;
}

/** Steps in sight are kept within those there are, and at least four. */
function lookAt(from, to) {
  const all = Math.max(plot.memory ? plot.memory.places.length : 1, 1);
  const wide = Math.min(Math.max(to - from, Math.min(4, all)), all);
  plot.from = Math.min(Math.max(from, 0), all - wide);
  plot.to = plot.from + wide;
}

function zoomPlot(factor, at) {
  lookAt(at - (at - plot.from) / factor, at + (plot.to - at) / factor);
  updatePlot();
}

/** The first step with the most bytes, by column. */
function columnsOf(bytes, count) {
  const each = (plot.to - plot.from) / count;
  const found = [];
  for (let column = 0; column < count; column += 1) {
    const left = Math.max(0, plot.from + each * column);
    const begin = Math.min(Math.floor(left), Math.max(0, bytes.length - 1));
    const end = Math.max(begin + 1, Math.min(Math.ceil(left + each),
        bytes.length));
    let best = begin;
    for (let step = begin + 1; step < end; step += 1) {
      if (bytes[step] > bytes[best]) {
        best = step;
      }
    }
    found.push(best);
  }
  return found;
}

function placeOfStep(step) {
  const {places} = plot.memory;
  for (let before = step; before >= 0; before -= 1) {
    if (places[before]) {
      return (before < step ? "behind " : "") + places[before];
    }
  }
  return `step ${step}`;
}

const stepLookedAt = () => plot.hovered >= 0 ? plot.hovered :
  plot.pinned >= 0 ? plot.pinned : plot.memory.peakStep;

function drawPlot() {
  const canvas = element("memory-plot");
  const pen = canvas.getContext("2d");
  const wide = canvas.clientWidth;
  const high = canvas.clientHeight;
  if (!plot.memory || !wide || !plot.memory.curves[0].length) {
    return;
  }
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(wide * scale);
  canvas.height = Math.round(high * scale);
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  const colors = getComputedStyle(document.documentElement);
  const color = (name) => colors.getPropertyValue(name).trim();
  const count = Math.max(1, Math.floor(wide - plotAxis - 2));
  const room = Math.max(20, high - plotHead - plotFoot);
  const [asIs, after, needed] = plot.memory.curves;
  plot.columns = columnsOf(asIs, count);
  const measured = plot.memory.measured;
  const top = Math.max(1, measured ? measured.peakBytes : 0,
      ...plot.columns.map((step) => asIs[step]));
  const y = (bytes) => plotHead + room * (1 - bytes / top);
  pen.font = "12px monospace";
  pen.fillStyle = color("--dim-text");
  pen.textAlign = "right";
  for (let part = 0; part <= 4; part += 1) {
    const bytes = Math.floor(top * part / 4);
    pen.fillText(byteWords(bytes), plotAxis - 6, y(bytes) + 4);
    pen.globalAlpha = 0.25;
    pen.fillRect(plotAxis, Math.floor(y(bytes)), count, 1);
    pen.globalAlpha = 1;
  }
  pen.textAlign = "left";
  for (let column = 0; column + 60 < count; column += 140) {
    const step = Math.floor(plot.from + (plot.to - plot.from) * column / count);
    pen.fillText(plot.memory.places[step] || "", plotAxis + column + 3,
        high - 4);
  }
  pen.fillStyle = color("--live-line");
  pen.globalAlpha = 0.25;
  plot.columns.forEach((step, column) =>
    pen.fillRect(plotAxis + column, y(asIs[step]), 1, y(0) - y(asIs[step])));
  pen.fillStyle = color("--owned-line");
  pen.globalAlpha = 0.5;
  plot.columns.forEach((step, column) => {
    const used = Math.min(asIs[step], after[step]);
    pen.fillRect(plotAxis + column, y(used), 1, y(0) - y(used));
  });
  pen.globalAlpha = 1;
  const curve = (bytes, steps, style) => {
    pen.strokeStyle = style;
    pen.lineWidth = 1.5;
    pen.beginPath();
    steps.forEach((step, column) => {
      pen.lineTo(plotAxis + column, y(bytes[step]));
      pen.lineTo(plotAxis + column + 1, y(bytes[step]));
    });
    pen.stroke();
  };
  curve(after, columnsOf(after, count), color("--owned-if-line"));
  curve(needed, columnsOf(needed, count), color("--allocated-line"));
  curve(asIs, plot.columns, color("--text"));
  const line = (step, style, isPeak) => {
    const at = Math.floor(plotAxis + count * (step + 0.5 - plot.from) /
        (plot.to - plot.from));
    if (at < plotAxis || at > plotAxis + count) {
      return;
    }
    pen.fillStyle = style;
    pen.fillRect(at, isPeak ? plotHead - 12 : plotHead, 1, isPeak ? 12 : room);
    if (isPeak) {
      const isRight = at > plotAxis + count / 2;
      pen.textAlign = isRight ? "right" : "left";
      pen.fillText("peak", at + (isRight ? -5 : 5), plotHead - 4);
    }
  };
  pen.fillStyle = color("--deallocated-line");
  for (const [step, bytes] of measured ? measured.marks : []) {
    const at = plotAxis + count * (step + 0.5 - plot.from) /
        (plot.to - plot.from);
    if (at >= plotAxis && at <= plotAxis + count) {
      pen.fillRect(Math.floor(at) - 3, Math.floor(y(bytes)) - 3, 7, 7);
    }
  }
  line(stepLookedAt(), color("--retained-line"), false);
  line(plot.memory.peakStep, color("--deallocated-line"), true);
}

let aliveThere = [];

const aliveList = new RowList(element("memory-alive"), 24, (i) => {
  const one = aliveThere[i];
  const isIdle = one.lastUse < plot.shown;
  const row = make("div", isIdle ? "event idle" : "event");
  const sign = make("span", "fill");
  sign.style.background = `var(--buffer-${Math.min(one.fill, 7)}-line)`;
  sign.title = `filled by ${plot.memory.fills[one.fill]}`;
  row.append(sign, make("span", "size", byteWords(one.bytes)));
  const name = make("button", "value", one.name);
  name.type = "button";
  name.dataset.value = one.value;
  row.append(name, make("span", "text", [one.at,
    isIdle ? one.whenIdle : one.whileUsed, one.ended, one.why]
      .filter(Boolean).join("; ")));
  return row;
});

function showAlive() {
  const step = stepLookedAt();
  if (plot.shown === step) {
    return;
  }
  plot.shown = step;
  const {memory} = plot;
  aliveThere = memory.buffers
      .filter((one) => one.bytes > 0 && one.begin <= step && step <= one.end)
      .sort((a, b) => b.bytes - a.bytes);
  const sum = (some) => some.reduce((all, one) => all + one.bytes, 0);
  const idle = sum(aliveThere.filter((one) => one.lastUse < step));
  const lines = [`${step === memory.peakStep ? "at the peak, " : "at "}` +
    `${placeOfStep(step)}: ${aliveThere.length} ` +
    `${aliveThere.length === 1 ? "buffer" : "buffers"}, ` +
    byteWords(sum(aliveThere)) + (idle ? `, ${byteWords(idle)} idle` : "")];
  if (step === memory.peakStep) {
    for (const one of memory.elsewhereAtPeak) {
      lines.push(`${byteWords(one.bytes)} ${one.in}` +
        (one.call ? `, called by ${one.call}` : ""));
    }
  }
  const byFill = new Map();
  for (const one of aliveThere) {
    const color = Math.min(one.fill, 7);
    byFill.set(color, (byFill.get(color) || 0) + one.bytes);
  }
  const {fills} = memory;
  const signs = [...byFill].sort((a, b) => b[1] - a[1])
      .flatMap(([color, bytes]) => {
        const sign = make("span", "fill");
        sign.style.background = `var(--buffer-${color}-line)`;
        const isRest = color === 7 && fills.length > 8;
        return [sign, `${isRest ? "others" : fills[color]} ` +
          `${byteWords(bytes)}  `];
      });
  element("memory-where").replaceChildren(...lines.flatMap((text, i) =>
    i ? [make("br"), text] : [text]));
  element("memory-fills").replaceChildren(...signs);
  aliveList.box.scrollTop = 0;
  aliveList.setCount(aliveThere.length);
}

function updatePlot() {
  if (plot.memory) {
    drawPlot();
    showAlive();
  }
}

/** Below the plot of the text: the run's own steps. */
function showMeasured(measured) {
  const words = element("memory-measured");
  words.hidden = element("memory-run").hidden = !measured;
  words.textContent = measured ? `measured ${measured.words}` : "";
  if (measured) {
    measuredDrawing.load(measured.picture);
  }
}

const measuredDrawing = new Drawing("memory-run", 0.4);

/** Where there are several, one is chosen. */
function showSpaces(fn) {
  const spaces = fn.memory || [];
  const choice = element("memory-space");
  choice.hidden = spaces.length < 2;
  choice.replaceChildren(...spaces.map((one, i) => {
    const option = make("option", "", one.spaceWords);
    option.value = i;
    option.selected = i === Math.min(plot.space, spaces.length - 1);
    return option;
  }));
}

element("memory-space").addEventListener("change", (event) => {
  plot.space = Number(event.target.value);
  showMemory();
});

function showMemory() {
  showSpaces(view.fn);
  plot.memory = memoryOf(view.fn) || null;
  plot.pinned = plot.hovered = plot.shown = -1;
  const memory = plot.memory;
  element("memory-pane").classList.toggle("empty",
      !memory || !memory.peakBytes && !memory.unknownSizes.length &&
      !memory.measured);
  element("memory-doubts").replaceChildren();
  element("memory-where").replaceChildren();
  element("memory-fills").replaceChildren();
  aliveList.setCount(0);
  showMeasured(memory && memory.measured);
  if (!memory) {
    element("memory-verdict").textContent = "not traced";
    return;
  }
  lookAt(0, memory.places.length);
  const low = memory.peakIsLowerBound ? "at least " : "";
  const verdict = memory.peakBytes ?
    `peak ${low}${byteWords(memory.peakBytes)} at ` +
      placeOfStep(memory.peakStep) + memory.capacity :
    memory.peakIsLowerBound || memory.unknownSizes.length ?
      "no buffer of a known size" : "allocates nothing on the heap";
  element("memory-verdict").textContent = verdict;
  element("memory-plot").setAttribute("aria-label",
      `Live bytes of @${view.fn.name}: ${verdict}`);
  const legend = element("memory-legend");
  legend.querySelector(".after").textContent =
    `after last use ${byteWords(memory.peakAfterLastUseBytes)}`;
  legend.querySelector(".least").textContent =
    `lower bound ${byteWords(memory.peakNeededBytes)}`;
  const apart = (words, some) => some.map((one) => `${words} ${one.name}` +
    (one.at ? ` (${one.at})` : "") +
    (one.bytes === null ? ", of an unknown size" :
      `, ${byteWords(one.bytes)}`) + ", apart from the heap");
  element("memory-doubts").replaceChildren(...[
    ...memory.aCall ? [`a call: ${memory.aCall}`] : [],
    ...memory.growth ? [`growth: ${memory.growth}`] : [],
    ...memory.fits,
    ...memory.needlessOverlaps.map((one) => "needless overlap, " +
      `${byteWords(one.bytes)}: ${one.words}`),
    ...memory.gaps.map((gap) => `may be more: ${gap}`),
    ...memory.unknownSizes.map((name) => `size not known: ${name}`),
    ...apart("on the stack:", memory.stack),
    ...apart("global:", memory.globals),
  ].map((text) => make("li", "", text)));
  updatePlot();
}

const stepUnder = (event) => plot.columns[Math.min(
    Math.max(Math.floor(event.offsetX - plotAxis), 0),
    plot.columns.length - 1)] ?? -1;

element("memory-plot").addEventListener("mousemove", (event) => {
  const {drag} = plot;
  if (drag) {
    const moved = (event.offsetX - drag.x) * (drag.to - drag.from) /
        Math.max(1, plot.columns.length);
    drag.moved = drag.moved || Math.abs(event.offsetX - drag.x) > 3;
    if (drag.moved) {
      lookAt(drag.from - moved, drag.to - moved);
    }
  }
  plot.hovered = stepUnder(event);
  updatePlot();
});
element("memory-plot").addEventListener("mouseleave", () => {
  plot.hovered = -1;
  plot.drag = null;
  updatePlot();
});
element("memory-plot").addEventListener("mousedown", (event) => {
  plot.drag = {x: event.offsetX, from: plot.from, to: plot.to, moved: false};
});
element("memory-plot").addEventListener("mouseup", (event) => {
  if (plot.drag && !plot.drag.moved) {
    plot.pinned = stepUnder(event);
  }
  plot.drag = null;
  updatePlot();
});
element("memory-plot").addEventListener("wheel", (event) => {
  event.preventDefault();
  zoomPlot(event.deltaY < 0 ? 1.25 : 0.8,
      plot.from + (event.offsetX - plotAxis) * (plot.to - plot.from) /
        Math.max(1, plot.columns.length));
}, {passive: false});
element("memory-plot").addEventListener("keydown", (event) => {
  const way = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (!way || !plot.memory) {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  plot.hovered = -1;
  plot.pinned = Math.min(Math.max(stepLookedAt() + way, 0),
      plot.memory.places.length - 1);
  updatePlot();
});
element("memory-in").addEventListener("click",
    () => zoomPlot(1.5, (plot.from + plot.to) / 2));
element("memory-out").addEventListener("click",
    () => zoomPlot(1 / 1.5, (plot.from + plot.to) / 2));
element("memory-all").addEventListener("click", () => {
  lookAt(0, Infinity);
  updatePlot();
});
element("memory-peak").addEventListener("click", () => {
  plot.hovered = plot.pinned = -1;
  updatePlot();
});
new ResizeObserver(drawPlot).observe(element("memory-plot"));

panes.push({
  load: showMemory,
  tab() {
    measuredDrawing.size();
    updatePlot();
  },
  theme: drawPlot,
});
