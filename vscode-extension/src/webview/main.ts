// The CFG view's page: shows the SVG, pans and zooms it, and links what is
// selected in it with the editor.

import type { FromView, ShowMessage, ToView } from '../messages';
import type { Selection } from '../traceIndex';
import { cleanSvg } from './cleanSvg';
import { Camera } from './camera';

declare function acquireVsCodeApi(): { postMessage(message: FromView): void };

const host = acquireVsCodeApi();
const byId = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;
const canvas = byId('canvas');
const camera = new Camera(canvas);
let shown: ShowMessage | undefined;
let selection: Selection = {};
/** The decision that is marked in the picture. */
let current: number | undefined;

function numberOf(element: Element | null, name: string): number | undefined {
  const text = element?.getAttribute(name);
  return text ? Number(text) : undefined;
}

function show(message: ShowMessage): void {
  shown = message;
  byId('title').textContent = message.title;
  const stage = byId<HTMLSelectElement>('stage');
  stage.replaceChildren(
    ...message.stages.map(({ number, label }) => {
      const option = document.createElement('option');
      option.value = String(number);
      option.textContent = label;
      option.selected = number === message.stage;
      return option;
    }),
  );
  if (!message.keepsView) byId('position').textContent = '–';
  const svg = cleanSvg(message.svg);
  if (!message.keepsView) {
    selection = {};
    current = undefined;
    why([]);
  }
  if (svg) camera.show(svg, message.keepsView);
  else canvas.textContent = message.note || 'There is no picture.';
  table();
  mark();
}

function table(): void {
  const made = document.createElement('table');
  for (const row of shown?.rows ?? []) {
    const line = made.insertRow();
    line.dataset['value'] = String(row.value);
    line.dataset['block'] = String(row.block);
    line.title = row.why;
    for (const text of [row.name, row.blockName, row.state]) line.insertCell().textContent = text;
  }
  byId('table').replaceChildren(made);
}

function why(lines: string[]): void {
  byId('why').replaceChildren(
    ...lines.map((text) => {
      const line = document.createElement('p');
      line.textContent = text;
      return line;
    }),
  );
}

/** Marks what is selected, in the picture and in the table. */
function mark(): void {
  for (const old of document.querySelectorAll('.selected, .current')) old.classList.remove('selected', 'current');
  const add = (query: string, name = 'selected') => document.querySelectorAll(query).forEach((one) => one.classList.add(name));
  if (selection.value !== undefined) add(`[data-value="${selection.value}"]`);
  if (selection.memref !== undefined) add(`[data-value="${selection.memref}"]`);
  if (selection.op !== undefined) add(`svg [data-op="${selection.op}"]`);
  if (selection.block !== undefined) add(`svg [data-block="${selection.block}"]`);
  if (current !== undefined) add(`svg [data-event="${current}"]`, 'current');
}

function onClick(event: MouseEvent): void {
  if (camera.wasDragged) return;
  const from = event.target instanceof Element ? event.target : null;
  const chip = from?.closest('[data-value], [data-op], [data-block]:not([data-block=""])') ?? null;
  if (!chip) return;
  const picked: Selection = {};
  const value = numberOf(chip, 'data-value');
  const op = numberOf(chip, 'data-op');
  const block = numberOf(chip.closest('[data-block]:not([data-block=""])'), 'data-block');
  if (value !== undefined) picked.value = value;
  if (op !== undefined) picked.op = op;
  if (block !== undefined) picked.block = block;
  selection = picked;
  current = numberOf(chip, 'data-event');
  const sentence = chip.querySelector(':scope > title')?.textContent ?? chip.getAttribute('title') ?? '';
  mark();
  host.postMessage({ type: 'pick', selection: picked, why: sentence });
}

function onMessage(message: ToView): void {
  if (message.type === 'show') show(message);
  else if (message.type === 'empty') {
    shown = undefined;
    byId('title').textContent = '';
    canvas.textContent = message.text;
  } else if (message.type === 'select') {
    selection = message.selection;
    current = undefined;
    why(message.why);
    mark();
  } else {
    selection = message.selection;
    current = message.event;
    byId('position').textContent = `${message.at + 1} / ${message.of}`;
    why([message.sentence]);
    mark();
    camera.reveal(document.querySelector('svg .current') ?? document.querySelector('svg .selected'));
  }
}

async function pngOf(svg: SVGSVGElement): Promise<string> {
  const { width, height } = camera.size();
  const image = new Image();
  const text = camera.wholeText(svg);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const surface = document.createElement('canvas');
  surface.width = Math.min(width * 2, 16000);
  surface.height = Math.min(height * 2, 16000);
  surface.getContext('2d')?.drawImage(image, 0, 0, surface.width, surface.height);
  return surface.toDataURL('image/png').split(',')[1] ?? '';
}

function onExport(format: 'svg' | 'png'): void {
  const svg = canvas.querySelector('svg');
  if (!svg) return;
  if (format === 'svg') host.postMessage({ type: 'export', format, data: camera.wholeText(svg) });
  else void pngOf(svg).then((data) => host.postMessage({ type: 'export', format, data }));
}

canvas.addEventListener('click', onClick);
byId('table').addEventListener('click', onClick);
byId('stage').addEventListener('change', () => host.postMessage({ type: 'stage', stage: Number(byId<HTMLSelectElement>('stage').value) }));
byId('back').addEventListener('click', () => host.postMessage({ type: 'step', delta: -1 }));
byId('forward').addEventListener('click', () => host.postMessage({ type: 'step', delta: 1 }));
byId('in').addEventListener('click', () => camera.zoom(1.25));
byId('out').addEventListener('click', () => camera.zoom(0.8));
byId('fit').addEventListener('click', () => camera.fit());
byId('svg').addEventListener('click', () => onExport('svg'));
byId('png').addEventListener('click', () => onExport('png'));
window.addEventListener('message', (event: MessageEvent<ToView>) => onMessage(event.data));
host.postMessage({ type: 'ready' });
