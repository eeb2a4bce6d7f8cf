// What every command, setting and theme of the extension shows, in a workbench
// that is already open. `test` has `check(name, isGood, detail)` and `server()`,
// the id of the language server's process.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { until } from './workbench.mjs';

const exists = (page, file) => until(page, async () => fs.existsSync(file) && fs.statSync(file).size > 0, Boolean, 20000);

async function inFolder(folder, settings) {
  const file = path.join(folder, '.vscode/settings.json');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(settings));
}

/** The CFG view's own buttons. */
export async function checkPictureFiles({ check }, bench, root) {
  const view = bench.webview();
  await view.locator('#in').click();
  await view.locator('#svg').click();
  const svg = path.join(root, 'picture.svg');
  await bench.saveAs(svg);
  await exists(bench.page, svg);
  const text = fs.readFileSync(svg, 'utf8');
  check('the CFG view saves an SVG', text.startsWith('<svg') && text.includes('^copy') && !/class="[^"]*(selected|current)/.test(text), text);
  check('whole, however far it is zoomed in', /viewBox="[\d.]+ [\d.]+ (\d+)/.exec(text)?.[1] === /width="(\d+)/.exec(text)?.[1], text);
  await view.locator('#fit').click();
  await view.locator('#png').click();
  const png = path.join(root, 'picture.png');
  await bench.saveAs(png);
  await exists(bench.page, png);
  const bytes = fs.readFileSync(png);
  const isPng = bytes.subarray(1, 4).toString() === 'PNG';
  check('and a PNG', isPng && bytes.readUInt32BE(16) > 500 && bytes.readUInt32BE(20) > 500 && bytes.length > 20000, `${bytes.length} bytes`);
}

/** Another editor in front of it, and away again. */
export async function checkHidden({ check }, bench) {
  const view = bench.webview();
  const state = async () => [await view.locator('#canvas svg').getAttribute('viewBox'), await view.locator('#position').innerText(), await view.locator('#stage').inputValue()].join();
  await view.locator('#in').click();
  const before = await state();
  await bench.command('Preferences: Open Keyboard Shortcuts');
  await bench.page.locator('.tab.active', { hasText: 'Keyboard Shortcuts' }).waitFor({ timeout: 10000 });
  await bench.page.locator('.tab.active', { hasText: 'Keyboard Shortcuts' }).locator('.codicon-close').click();
  const after = await until(bench.page, state, (found) => found === before);
  check('the CFG view keeps its state when hidden', after === before, `${before} -> ${after}`);
  await view.locator('#fit').click();
}

export async function checkRanges({ check }, bench, folder) {
  await bench.click('memref.alloc', '%copy');
  await bench.page.waitForTimeout(500);
  check('no ranges unless they are asked for', Object.keys(await bench.bars()).length === 0);
  await inFolder(folder, { 'memrefLens.ownershipRanges.enabled': true });
  const wait = (wanted) => until(bench.page, () => bench.bars(), (found) => JSON.stringify(found) === JSON.stringify(wanted), 15000);
  for (const [line, word, what, wanted] of [
    ['memref.alloc', '%copy', 'owned', { 7: 'solid', 8: 'solid', 9: 'solid' }],
    ['call @consume', '%data', 'possibly owned', { 12: 'dashed', 13: 'dashed', 14: 'dashed' }],
    ['memref.copy', '%input', 'borrowed', { 4: 'dotted', 5: 'dotted', 6: 'dotted', 7: 'dotted', 8: 'dotted', 9: 'dotted' }],
  ]) {
    await bench.click(line, word);
    const found = await wait(wanted);
    check(`the lines where a memref is ${what}`, JSON.stringify(found) === JSON.stringify(wanted), found);
    await bench.shot(`13-${what.replace(' ', '-')}`);
  }
  await inFolder(folder, {});
  check('and none when the setting is taken back', JSON.stringify(await wait({})) === '{}');
}

async function checkReport({ check }, bench) {
  await bench.command('memref-lens: Open Report');
  const report = bench.webview();
  const heading = await until(bench.page, () => report.locator('body').innerText(), (text) => text.includes('@diamond'), 30000);
  check('the report is shown', heading.includes('@diamond'), heading);
  const drawn = await until(bench.page, () => report.locator('svg').count(), (count) => count > 0);
  check('with its graph', drawn > 0, String(drawn));
  const color = await report.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number));
  check('dark as the editor is', color.every((part) => part < 80), color);
  await bench.shot('14-report');
  await bench.command('View: Close Editor');
}

async function checkLifetimes({ check }, bench) {
  await bench.command('memref-lens: Show Lifetimes');
  const picture = bench.webview().locator('img');
  await picture.waitFor({ timeout: 20000 });
  const width = await until(bench.page, () => picture.evaluate((image) => image.naturalWidth), (found) => found > 100);
  check('the lifetimes are drawn', width > 100, String(width));
  const shown = await picture.evaluate((image) => image.getBoundingClientRect().width);
  check('large enough to be read', shown >= width, `${shown} of ${width}`);
  await bench.shot('15-lifetimes');
  const tab = bench.page.locator('.tab', { hasText: 'Lifetimes @diamond' });
  await tab.click();
  await tab.locator('.codicon-close').click();
}

const TENSORS = `func.func @layer(%t: tensor<1024xf32>, %x: f32, %i: index) -> (f32, f32) {
  %new = tensor.insert %x into %t[%i] : tensor<1024xf32>
  %old = tensor.extract %t[%i] : tensor<1024xf32>
  %y = tensor.extract %new[%i] : tensor<1024xf32>
  return %old, %y : f32, f32
}
`;

/** A program on tensors: hints, hover and picture, in a file of its own. */
export async function checkTensors({ check }, bench, folder) {
  fs.writeFileSync(path.join(folder, 'layer.mlir'), TENSORS);
  await inFolder(folder, { 'memrefLens.pipeline.bufferize': true });
  await bench.command('View: Show Explorer');
  await bench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'layer.mlir' }).first().dblclick({ timeout: 20000 });
  const hint = await bench.line('tensor.insert', (line) => /copy\s4\sKiB/.test(line));
  check('a copy stands behind its tensor', /%t\s*copy\s4\sKiB/.test(hint), hint);
  const argument = await bench.line('func.func @layer', (line) => line.includes('read'));
  check('what the function does with it at the argument', /%t\s*read/.test(argument), argument);
  const words = await bench.hover('tensor.insert', '%new', /is copied here/);
  check('the hover says why', /%t is copied here, 4 KiB: tensor.extract \(3:10\) reads %t after this write/.test(words), words);
  await bench.shot('16-tensors');
  await bench.click('tensor.insert', 'insert');
  await bench.command('memref-lens: Show Tensors and Their Buffers');
  const picture = bench.webview().locator('img');
  await picture.waitFor({ timeout: 20000 });
  const width = await until(bench.page, () => picture.evaluate((image) => image.naturalWidth), (found) => found > 100);
  check('the picture of tensors is drawn', width > 100, String(width));
  await bench.shot('17-picture-of-tensors');
  for (const title of ['Tensors @layer', 'layer.mlir']) {
    const tab = bench.page.locator('.tab', { hasText: title }).first();
    await tab.click();
    await tab.locator('.codicon-close').click();
  }
  await inFolder(folder, {});
}

async function checkMemory({ check }, bench) {
  await bench.command('memref-lens: Show Memory');
  const view = bench.webview();
  const verdict = await until(bench.page, () => view.locator('#title').innerText(), (text) => text.includes('peak'), 20000);
  check('the memory of the function at the cursor, its peak first', /@diamond: peak (at least )?\d+ B at \d+:\d+$/.test(verdict), verdict);
  const row = view.locator('#list tr').first();
  check('with who is alive there', /64 B\s+%copy/.test(await row.innerText()), await row.innerText());
  const painted = () => view.locator('#plot').evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((_, at) => at % 4 === 3 && data[at] > 100).length;
  });
  const drawn = await until(bench.page, painted, (count) => count > 1000);
  check('the plot is drawn', drawn > 1000, String(drawn));
  await bench.shot('15-memory');
  await bench.click('call @consume', '%data');
  await row.click();
  const cursor = await until(bench.page, () => bench.cursorLine(), (text) => text === '7');
  check('a click goes to the line', cursor === '7', cursor);
  const tab = bench.page.locator('.tab', { hasText: 'Memory @diamond' });
  await tab.click();
  await tab.locator('.codicon-close').click();
}

/** First as its arguments happen to be, then on the side that allocates. */
async function checkRun({ check }, bench) {
  // What stands behind a line is no part of its text.
  const notes = () => bench.page.evaluate(() => [...document.querySelectorAll('.view-line span')].map((one) => getComputedStyle(one, '::after').content).join('\n').replace(/\u00a0/g, ' '));
  await bench.command('memref-lens: Run Function');
  const told = await bench.answer('ran @diamond');
  check('a run tells what happened', /ran @diamond\(.*\): .*no leak, no use after free/s.test(told), told);
  const condition = await until(bench.page, notes, (text) => /%needsCopy always false, 1x/.test(text));
  check('and its counts behind the lines', /%needsCopy always false, 1x/.test(condition), condition);
  await bench.command('memref-lens: Run Function with Arguments...');
  const input = bench.page.locator('.quick-input-widget:visible input[type=text]');
  await input.fill('needsCopy=true');
  await input.press('Enter');
  const copy = await until(bench.page, notes, (text) => /%copy allocated 1x/.test(text));
  check('arguments are asked for', /%copy allocated 1x, 64 B, deallocated 1x/.test(copy), copy);
  // Its message may be gone by itself.
  await bench.command('Notifications: Clear All Notifications');
  await bench.shot('15-run');
  await bench.command('memref-lens: Clear the Counts of the Run');
  const clean = await until(bench.page, notes, (text) => !/allocated 1x/.test(text));
  check('the counts go when they are cleared', !/allocated 1x/.test(clean), clean);
}

/** A record that the command line made: in hints and hovers of the server. */
async function checkRecord({ check }, bench, root) {
  const record = path.join(root, 'kept.json');
  const program = path.join(root, 'programs', 'diamond.mlir');
  execFileSync(path.join(root, 'bin', 'memref-lens'), ['run', program, '--arg', 'needsCopy=true', '--format', 'json', '-o', record]);
  await bench.command('memref-lens: Use Run Record');
  await bench.saveAs(record, /\/$/);
  const hint = await bench.line('memref.alloc', (line) => line.includes('run: '));
  check('a run record stands behind the lines', /run: 1x, deallocated 1x/.test(hint), hint);
  await bench.shot('15-record');
  await bench.command('memref-lens: Clear the Counts of the Run');
  const clean = await bench.line('memref.alloc', (line) => !line.includes('run: '));
  check('and goes when it is cleared', !clean.includes('run: '), clean);
}

export async function checkCommands(test, bench, root) {
  const { check, server } = test;
  await bench.click('memref.alloc', 'alloc');
  await checkReport(test, bench);
  await bench.click('memref.alloc', 'alloc');
  await checkLifetimes(test, bench);
  await bench.click('memref.alloc', 'alloc');
  await checkMemory(test, bench);
  await bench.click('memref.alloc', 'alloc');
  await checkRun(test, bench);
  await checkRecord(test, bench, root);
  await bench.click('memref.alloc', 'alloc');
  for (const [ending, wanted] of [['svg', /^<svg[\s\S]*\^join/], ['html', /^<!DOCTYPE html>[\s\S]*@diamond/i], ['md', /@?diamond/], ['dot', /^\s*digraph/m]]) {
    const file = path.join(root, `exported.${ending}`);
    await bench.command('memref-lens: Export');
    await bench.page.locator('.quick-input-list .monaco-list-row', { hasText: `.${ending}` }).first().click({ timeout: 10000 });
    await bench.saveAs(file);
    await exists(bench.page, file);
    const text = fs.readFileSync(file, 'utf8');
    check(`Export writes ${ending}`, wanted.test(text), text);
  }
  await bench.page.evaluate(() => navigator.clipboard.writeText(''));
  await bench.command('memref-lens: Copy Trace');
  const copied = await until(bench.page, () => bench.page.evaluate(() => navigator.clipboard.readText()), (text) => text !== '');
  const trace = (() => { try { return JSON.parse(copied); } catch { return undefined; } })();
  check('the trace is in the clipboard', trace?.schemaVersion > 0 && trace.functions.some((one) => one.name === 'diamond'), copied);
  await bench.command('memref-lens: Compare with Upstream');
  const compared = await bench.answer(/every stage is equal|found a difference/);
  check('the comparison with MLIR', /every stage is equal/.test(compared), compared);
  const before = server();
  await bench.command('memref-lens: Restart Server');
  const after = await until(bench.page, async () => server(), (id) => id !== undefined && id !== before);
  check('Restart Server starts another', after !== undefined && after !== before, `${before} ${after}`);
  const status = await until(bench.page, () => bench.status(), (text) => /ready|finding/.test(text));
  check('which is ready, not told as a crash', /(ready|findings?)$/.test(status.trim()), status);
}

export async function checkViewer({ check }, bench, root, folder) {
  await bench.click('memref.alloc', 'alloc');
  await bench.command('memref-lens: Open in Desktop Viewer');
  const missing = await bench.answer('memref-lens-viewer was found neither', 'Open Setting');
  check('a missing viewer is told', /install it, or say where it is/.test(missing), missing);
  const items = bench.page.locator('.settings-editor .setting-item-contents');
  const setting = await until(bench.page, () => items.first().innerText(), (text) => /Viewer Path/.test(text), 15000);
  await bench.shot('20-setting');
  check('and its setting opened', /Viewer Path/.test(setting), setting);
  await bench.command('View: Close Editor');
  await bench.click('memref.alloc', 'alloc');
  const given = path.join(root, 'viewer-arguments');
  const viewer = path.join(root, 'bin', 'memref-lens-viewer');
  const open = async (wanted, name) => {
    fs.rmSync(given, { force: true });
    await bench.command('memref-lens: Open in Desktop Viewer');
    const found = await until(bench.page, async () => fs.readFileSync(given, 'utf8'), (text) => text.includes('--line'));
    check(name, found === wanted, found);
  };
  fs.writeFileSync(viewer, `#!/bin/sh\necho "$0" "$@" > '${given}.new' && mv '${given}.new' '${given}'\n`, { mode: 0o755 });
  const file = path.join(folder, 'diamond.mlir');
  await open(`${viewer} ${file} --function diamond --line 7\n`, 'the viewer beside the server, at the cursor');
  const other = path.join(root, 'other-viewer');
  fs.renameSync(viewer, other);
  await inFolder(folder, { 'memrefLens.viewerPath': other });
  await bench.page.waitForTimeout(700);
  await open(`${other} ${file} --function diamond --line 7\n`, 'or the viewer of the setting');
  fs.writeFileSync(other, '#!/bin/sh\necho "there is no display" >&2\nexit 3\n', { mode: 0o755 });
  await bench.command('memref-lens: Open in Desktop Viewer');
  const failed = await bench.answer('did not open');
  check('a viewer that cannot open a window says why', /there is no display/.test(failed), failed);
  await inFolder(folder, {});
}

export async function checkWalkthrough({ check }, bench) {
  await bench.command('Welcome: Open Walkthrough');
  await bench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Get started with memref-lens' }).first().click({ timeout: 10000 });
  const steps = bench.page.locator('.gettingStartedContainer .getting-started-step');
  await steps.first().waitFor({ timeout: 15000 });
  check('the walkthrough has its steps', (await steps.count()) === 6, String(await steps.count()));
  await steps.nth(1).click();
  const picture = bench.page.locator('.gettingStartedContainer .getting-started-media img').first();
  const width = await until(bench.page, () => picture.evaluate((image) => image.naturalWidth), (found) => found > 500, 15000);
  check('with pictures', width > 500, String(width));
  await bench.shot('19-walkthrough');
  await bench.command('View: Close Editor');
}

export async function checkStatus({ check }, bench) {
  await bench.click('memref.alloc', 'alloc');
  const seen = await bench.watchStatus();
  await bench.page.keyboard.press('End');
  await bench.page.keyboard.type(' // x');
  await until(bench.page, seen, (all) => all.some((text) => /analysing/.test(text)) && /ready|finding/.test(all.at(-1)), 15000);
  const all = await seen();
  check('the status bar goes from ready over analysing to ready', /ready|finding/.test(all[0]) && all.some((text) => /analysing/.test(text)) && /ready|finding/.test(all.at(-1)), all);
  await bench.page.locator('.statusbar-item', { hasText: 'memref-lens:' }).first().click();
  const log = await until(bench.page, () => bench.page.locator('.part.panel .view-lines').first().innerText(), (text) => /mode.full/.test(text));
  check('a click on it opens the log', /mode.full/.test(log), log);
  await bench.command('View: Toggle Panel Visibility');
  await bench.click('memref.alloc', 'alloc');
  await bench.command('File: Revert File');
}

/** Asked for while the server starts again. */
export async function checkEarlyCfg({ check }, bench) {
  await bench.click('memref.alloc', 'alloc');
  await bench.command('memref-lens: Restart Server');
  await bench.command('memref-lens: Show CFG');
  const blocks = await until(bench.page, () => bench.webview().locator('svg [data-block]').count(), (count) => count > 0);
  check('a graph asked for while the server starts is shown when it is there', blocks > 0, String(blocks));
  await bench.page.locator('.tab', { hasText: 'CFG' }).locator('.codicon-close').click();
}

/** After a crash, by the button of its message. */
export async function checkOff({ check, server }, bench) {
  await bench.click('memref.alloc', 'alloc');
  process.kill(server(), 'SIGKILL');
  await bench.answer('ended unexpectedly', 'Turn analysis off for this file');
  const status = await until(bench.page, () => bench.status(), (text) => /off for this file/.test(text));
  check('analysis is off for this file', /off for this file/.test(status), status);
  const bare = await until(bench.page, () => bench.text(), (text) => !/owned if|keeps %copy/.test(text));
  check('which has no hints then', !/owned if|keeps %copy/.test(bare), bare);
  await bench.shot('16-off');
  await bench.command('memref-lens: Restart Server');
  const back = await bench.line('^join(%data', (line) => line.includes('owned if'));
  check('and has them again when the server is restarted', back.includes('owned if'), back);
}

export async function checkTreesOfRefused({ check }, bench) {
  await bench.click('%work = memref.alloc', 'alloc');
  await bench.page.locator('.activitybar .action-label[aria-label^="memref-lens"]').first().click();
  const rows = bench.page.locator('.sidebar .monaco-list-row');
  const text = await until(bench.page, async () => (await rows.allInnerTexts()).join('\n'), (found) => /@loop is rejected/.test(found) && /%work/.test(found));
  check('the trees tell of a refused function', /3 ownership-based\S*\s*rejected here/.test(text) && /@loop is rejected/.test(text), text);
  await bench.shot('17-refused-trees');
}

/** High contrast, in the page that shows code and graph; its theme was light. */
export async function checkThemes({ check }, bench, vscode) {
  const view = bench.webview();
  for (const [theme, of, picture, name] of [
    ['Default High Contrast', /\bhc-black\b/, 'dark', 'high-contrast'],
    ['Default High Contrast Light', /\bhc-light\b/, 'light', 'high-contrast-light'],
  ]) {
    vscode.write({ 'workbench.colorTheme': theme, 'memrefLens.ownershipRanges.enabled': true });
    const kind = await until(bench.page, () => bench.page.locator('.monaco-workbench').getAttribute('class'), (text) => of.test(text));
    check(`the theme ${theme}`, of.test(kind), kind);
    await view.locator(`svg.${picture}`).waitFor({ timeout: 20000 });
    await bench.click('%next', '%next');
    await until(bench.page, () => view.locator('svg .chip.selected').count(), (count) => count > 0);
    const looks = await view.locator('button').first().evaluate((button) => [getComputedStyle(button).borderTopColor, getComputedStyle(document.body).backgroundColor]);
    check('buttons have an outline in it', looks[0] !== looks[1] && looks[0] !== 'rgba(0, 0, 0, 0)', looks);
    const node = await view.locator('svg .node path').first().evaluate((one) => [getComputedStyle(one).stroke, getComputedStyle(one).fill]);
    check('blocks stand out in it', node[0] !== node[1], node);
    const onTop = await view.locator('svg .node .line text').evaluateAll((all) => all.filter((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('text') === one;
    }).length);
    check('their words are in front', onTop > 5, String(onTop));
    const words = await view.locator('svg .heading text, svg text').first().evaluate((one) => [getComputedStyle(one).fill, getComputedStyle(document.body).color]);
    check('words have the editor\'s own colour', words[0] === words[1], words);
    await bench.shot(`18-${name}`);
  }
}

/** There was no server when the window opened. */
export async function checkLate({ check, server }, bench, vscode, root) {
  const late = path.join(root, 'late', 'memref-lens-lsp-server');
  vscode.write({});
  const ready = await until(bench.page, () => bench.status(), (text) => /ready|finding/.test(text));
  check('a setting that comes late starts the server', /ready|finding/.test(ready) && server() !== undefined, ready);
  const owned = await bench.line('%copy', (line) => /owned/.test(line));
  check('with hints in the file that is open', /owned/.test(owned), owned);
  await bench.answer('names no program');
  vscode.write({ 'memrefLens.serverPath': late });
  await bench.answer(late);
  fs.mkdirSync(path.dirname(late));
  fs.symlinkSync(path.join(root, 'bin', 'memref-lens-lsp-server'), late);
  await bench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'loop-fresh.mlir' }).first().dblclick();
  const found = await until(bench.page, () => bench.status(), (text) => /ready|finding/.test(text));
  check('and so does a server that is there when a file is opened', /ready|finding/.test(found), found);
  await bench.page.reload();
  const again = await until(bench.page, () => bench.text(), (text) => /owned/.test(text), 60000);
  check('a reloaded window has its hints', /owned/.test(again), again);
}
