// The page of the Memory view: live bytes over the steps on a canvas, and who is
// alive at the mouse. Words of the user's file are put in as text.

import { aliveAt, bytesText, doubtsOf, isIdle, placeOf, rowOf, stepsOfColumns, verdictOf, within, zoomed, type Window } from '../memoryModel';
import type { FromMemoryView, ToMemoryView } from '../messages';
import type { FunctionMemory } from '../protocol';

declare function acquireVsCodeApi(): { postMessage(message: FromMemoryView): void };
const host = acquireVsCodeApi();

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const canvas = element<HTMLCanvasElement>('plot');
const list = element('list');
/** Rows that are drawn; the number of the others is told. */
const mostRows = 200;
const axis = 76;
const foot = 18;
const head = 18;

let memory: FunctionMemory | undefined;
let sight: Window = { from: 0, to: 1 };
let hovered = -1;
let pinned = -1;
let shownStep = -1;
let columns: number[] = [];
let drag: { x: number; sight: Window; moved: boolean } | undefined;

const stepNow = () => (hovered >= 0 ? hovered : pinned >= 0 ? pinned : (memory?.peakStep ?? 0));
const go = (place: string) => host.postMessage({ type: 'go', place });

function color(name: string, otherwise: string): string {
  return getComputedStyle(document.body).getPropertyValue(name).trim() || otherwise;
}

function draw(): void {
  const context = canvas.getContext('2d');
  if (!memory || !context) return;
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(wide * scale);
  canvas.height = Math.round(high * scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, wide, high);
  const count = Math.max(1, Math.floor(wide - axis - 2));
  const room = Math.max(20, high - foot - head);
  columns = stepsOfColumns(memory.liveOnAnyPath, sight, count);
  const top = Math.max(1, ...columns.map((step) => memory?.liveOnAnyPath[step] ?? 0));
  const y = (bytes: number) => head + room * (1 - bytes / top);
  const x = (step: number) => axis + (count * (step + 0.5 - sight.from)) / (sight.to - sight.from);
  const text = color('--vscode-editor-foreground', '#888');
  const dim = color('--vscode-descriptionForeground', '#888');
  const blue = color('--vscode-charts-blue', '#3794ff');
  const orange = color('--vscode-charts-orange', '#d18616');
  const green = color('--vscode-charts-green', '#89d185');
  context.font = `12px ${color('--vscode-editor-font-family', 'monospace')}`;
  grid(context, { count, top, y, room, text: dim });
  const { liveOnAnyPath, liveAfterLastUse, needed } = memory;
  columns.forEach((step, column) => {
    const all = liveOnAnyPath[step] ?? 0;
    const used = Math.min(all, liveAfterLastUse[step] ?? 0);
    context.fillStyle = blue;
    context.globalAlpha = 0.25;
    context.fillRect(axis + column, y(all), 1, y(used) - y(all));
    context.globalAlpha = 0.7;
    context.fillRect(axis + column, y(used), 1, y(0) - y(used));
  });
  context.globalAlpha = 1;
  curve(context, stepsOfColumns(liveAfterLastUse, sight, count).map((step) => y(liveAfterLastUse[step] ?? 0)), orange);
  curve(context, stepsOfColumns(needed, sight, count).map((step) => y(needed[step] ?? 0)), green);
  curve(context, columns.map((step) => y(liveOnAnyPath[step] ?? 0)), text);
  const line = (step: number, style: string) => {
    const at = Math.floor(x(step)) + 0.5;
    if (at < axis || at > axis + count) return;
    context.strokeStyle = style;
    context.beginPath();
    context.moveTo(at, head);
    context.lineTo(at, head + room);
    context.stroke();
  };
  line(stepNow(), color('--vscode-focusBorder', orange));
  if (x(memory.peakStep) >= axis && x(memory.peakStep) <= axis + count) mark(context, x(memory.peakStep), count, text);
}

interface Frame {
  count: number;
  top: number;
  y: (bytes: number) => number;
  room: number;
  text: string;
}

function grid(context: CanvasRenderingContext2D, { count, top, y, room, text }: Frame): void {
  let tick = 1;
  while (top / tick > Math.max(1, room / 36)) tick *= 2;
  context.fillStyle = context.strokeStyle = text;
  for (let bytes = 0; bytes <= top; bytes += tick) {
    context.textAlign = 'right';
    context.fillText(bytesText(bytes), axis - 6, y(bytes) + 4);
    context.globalAlpha = 0.25;
    context.fillRect(axis, Math.floor(y(bytes)), count, 1);
    context.globalAlpha = 1;
  }
  context.textAlign = 'left';
  for (let column = 0; column + 60 < count; column += 140) {
    const step = Math.floor(sight.from + ((sight.to - sight.from) * column) / count);
    const place = memory?.places[step];
    if (!place) continue;
    context.fillRect(axis + column, head + room, 1, 5);
    context.fillText(place, axis + column + 3, head + room + 14);
  }
}

function curve(context: CanvasRenderingContext2D, heights: number[], style: string): void {
  context.strokeStyle = style;
  context.lineWidth = 1.5;
  context.beginPath();
  heights.forEach((height, column) => {
    context.lineTo(axis + column, height);
    context.lineTo(axis + column + 1, height);
  });
  context.stroke();
  context.lineWidth = 1;
}

function mark(context: CanvasRenderingContext2D, at: number, count: number, style: string): void {
  context.fillStyle = style;
  context.beginPath();
  context.moveTo(at - 4, head - 8);
  context.lineTo(at + 4, head - 8);
  context.lineTo(at, head);
  context.fill();
  const isRight = at > axis + count / 2;
  context.textAlign = isRight ? 'right' : 'left';
  context.fillText('peak', at + (isRight ? -8 : 8), head - 4);
  context.textAlign = 'left';
}

function showList(): void {
  const shown = memory;
  const step = stepNow();
  if (!shown || step === shownStep) return;
  shownStep = step;
  const alive = aliveAt(shown, step);
  const sum = (of: typeof alive) => bytesText(of.reduce((all, one) => all + one.bytes, 0));
  const idle = alive.filter((one) => isIdle(one, step));
  const many = alive.length === 1 ? '1 buffer' : `${alive.length} buffers`;
  element('where').textContent = `${step === shown.peakStep ? 'at the peak, ' : 'at '}${placeOf(shown, step)}: ${many}, ${sum(alive)}${idle.length ? `, ${sum(idle)} idle` : ''}`;
  list.replaceChildren(
    ...alive.slice(0, mostRows).map((buffer) => {
      const row = document.createElement('tr');
      row.tabIndex = 0;
      if (isIdle(buffer, step)) row.className = 'idle';
      for (const cell of rowOf(buffer, step)) row.insertCell().textContent = cell;
      row.addEventListener('click', () => go(buffer.at));
      row.addEventListener('keydown', (event) => event.key === 'Enter' && go(buffer.at));
      return row;
    }),
  );
  element('more').textContent = alive.length > mostRows ? `and ${alive.length - mostRows} other buffers, ${sum(alive.slice(mostRows))}` : '';
}

function update(): void {
  draw();
  showList();
}

/** Of the function's memory spaces, one is shown. */
let spaces: FunctionMemory[] = [];
let chosen = 0;

function showSpaces(given: FunctionMemory[]): void {
  spaces = given;
  chosen = Math.min(chosen, spaces.length - 1);
  const choice = element('space') as HTMLSelectElement;
  choice.hidden = spaces.length < 2;
  choice.replaceChildren(...spaces.map((one, i) => new Option(one.title.replace(/^@[^,]*, /, ''), String(i), false, i === chosen)));
  const one = spaces[chosen];
  if (one) show(one);
}

element('space').addEventListener('change', (event) => {
  chosen = Number((event.target as HTMLSelectElement).value);
  showSpaces(spaces);
});

function show(given: FunctionMemory): void {
  memory = given;
  pinned = hovered = shownStep = -1;
  sight = within({ from: 0, to: given.places.length }, given.places.length);
  element('title').textContent = `${given.title}: ${verdictOf(given)}`;
  element('after').textContent = `${bytesText(given.peakAfterLastUseBytes)} after last use`;
  element('least').textContent = `${bytesText(given.peakNeededBytes)} lower bound`;
  element('doubts').replaceChildren(
    ...doubtsOf(given).map((doubt) => {
      const one = document.createElement('p');
      one.textContent = doubt;
      return one;
    }),
  );
  document.body.classList.toggle('empty', given.buffers.length === 0);
  update();
}

const stepAt = (event: MouseEvent) => columns[Math.min(Math.max(Math.floor(event.offsetX - axis), 0), columns.length - 1)] ?? -1;
const wide = () => Math.max(1, columns.length);

canvas.addEventListener('mousemove', (event) => {
  if (drag) {
    const moved = ((event.offsetX - drag.x) * (drag.sight.to - drag.sight.from)) / wide();
    drag.moved ||= Math.abs(event.offsetX - drag.x) > 3;
    if (drag.moved) sight = within({ from: drag.sight.from - moved, to: drag.sight.to - moved }, memory?.places.length ?? 1);
  }
  hovered = stepAt(event);
  update();
});
canvas.addEventListener('mouseleave', () => {
  hovered = -1;
  drag = undefined;
  update();
});
canvas.addEventListener('mousedown', (event) => (drag = { x: event.offsetX, sight, moved: false }));
canvas.addEventListener('mouseup', (event) => {
  const isClick = drag && !drag.moved;
  drag = undefined;
  if (!isClick) return;
  pinned = stepAt(event);
  const place = memory?.places[pinned];
  if (place) go(place);
  update();
});
canvas.addEventListener('dblclick', () => all());
canvas.addEventListener('wheel', (event) => {
  event.preventDefault();
  const at = sight.from + ((event.offsetX - axis) * (sight.to - sight.from)) / wide();
  sight = within(zoomed(sight, event.deltaY < 0 ? 1.25 : 0.8, at), memory?.places.length ?? 1);
  update();
}, { passive: false });
canvas.addEventListener('keydown', (event) => {
  const way = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (!way || !memory) return;
  event.preventDefault();
  hovered = -1;
  pinned = Math.min(Math.max((pinned >= 0 ? pinned : memory.peakStep) + way, 0), memory.places.length - 1);
  update();
});

function all(): void {
  sight = within({ from: 0, to: memory?.places.length ?? 1 }, memory?.places.length ?? 1);
  update();
}
element('all').addEventListener('click', all);
element('peak').addEventListener('click', () => {
  pinned = memory?.peakStep ?? -1;
  const place = memory?.places[pinned];
  if (place) go(place);
  update();
});
new ResizeObserver(() => draw()).observe(canvas);
new MutationObserver(() => draw()).observe(document.body, { attributes: true, attributeFilter: ['class'] });
window.addEventListener('message', (event: MessageEvent<ToMemoryView>) => {
  if (event.data.type === 'memory') showSpaces(event.data.spaces);
  else {
    document.body.classList.add('empty');
    element('title').textContent = event.data.text;
  }
});
host.postMessage({ type: 'ready' });
