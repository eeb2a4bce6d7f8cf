// The packaged extension in a real VS Code: what a user sees in the page.
//
//   node e2e.mjs '{"vscode":…,"node":…,"vsix":…,"official":…,"server":…,"cli":…,"samples":…,"chromium":…,"out":…}'
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { checkCommands, checkEarlyCfg, checkHidden, checkLate, checkOff, checkPictureFiles, checkRanges, checkStatus, checkTensors, checkThemes, checkTreesOfRefused, checkViewer, checkWalkthrough } from './commands.mjs';
import { startServer, until, Workbench } from './workbench.mjs';

const given = JSON.parse(process.argv[2]);
const { chromium } = createRequire(path.join(given.node, 'package.json'))('playwright-core');
const begun = Date.now();
let passed = 0;
let failed = 0;

function check(name, isGood, detail = '') {
  isGood ? ++passed : ++failed;
  const text = String(typeof detail === 'string' ? detail : JSON.stringify(detail)).slice(0, 400);
  console.log(`[${((Date.now() - begun) / 1000).toFixed(1)}s] ${isGood ? 'ok  ' : 'FAIL'} ${name}${isGood ? '' : `\n        ${text}`}`);
}

/** MEMREF_LENS_PART=NAME runs that part alone. */
async function part(name, run) {
  const only = process.env.MEMREF_LENS_PART;
  if (only && only !== name) return;
  try {
    await run();
  } catch (error) {
    check(name, false, error.message);
    for (const [at, page] of (browser?.contexts() ?? []).flatMap((one) => one.pages()).entries())
      await page.screenshot({ path: path.join(given.out, `failed-${name.replace(/\W+/g, '-')}-${at}.png`) }).catch(() => {});
  }
}

/** Our server among this machine's processes: its path is this run's own. */
function serverProcess(program) {
  return serverOf(program)?.id;
}

function serverOf(program) {
  for (const id of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = fs.readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
      if (words[0] === program && !words.some((word) => word.startsWith('--role='))) return { id: Number(id), words };
    } catch {
      // It ended meanwhile.
    }
  }
  return undefined;
}

async function checkHints(bench) {
  const owned = await bench.line('%copy', (line) => line.includes('owned') && line.includes('memref.alloc'), 60000);
  check('a hint behind an allocation', /%copy\s*:?\s*owned\s*=\s*memref\.alloc/.test(owned), owned);
  const argument = await bench.line('^join(%data', (line) => line.includes('owned if'));
  check('a hint behind a block argument', /%data\s*owned if %own_data\s*:/.test(argument), argument);
  const end = await bench.line('  return', (line) => line.includes('deallocates'));
  check('a hint at the end of the block', /return\s*deallocates %data if %own_data/.test(end), end);
  const lens = await until(bench.page, () => bench.page.locator('.codelens-decoration').first().innerText(), (text) => /show CFG/.test(text));
  check('lenses above the function', /1 allocation.*step through.*show CFG/s.test(lens), lens);
  const colors = await bench.page.evaluate(() => new Set([...document.querySelectorAll('.view-line span[class*=mtk]')].map((one) => getComputedStyle(one).color)).size);
  check('the grammar colours tokens', colors >= 4, String(colors));
  const status = await until(bench.page, () => bench.status(), (text) => /ready|finding/.test(text));
  check('the status bar says ready', /ready|finding/.test(status), status);
}

async function checkHovers(bench) {
  const alloc = await bench.hover('memref.alloc', '%copy', /allocates it/);
  check('hover of a memref', /%copy/.test(alloc) && /allocates it/.test(alloc), alloc);
  await bench.shot('2-hover');
  const argument = await bench.hover('func.func @diamond', '%input', /borrow/);
  check('hover of an argument', /borrow/.test(argument), argument);
  const block = await bench.hover('^join(%data', '^join', /%data/);
  check('hover of a block', /%data/.test(block), block);
  await bench.page.mouse.move(700, 880);
}

async function checkCfg(bench) {
  await bench.click('memref.alloc', 'alloc');
  await bench.command('memref-lens: Show CFG');
  const view = bench.webview();
  const title = await until(bench.page, () => view.locator('#title').innerText(), (text) => text !== '');
  check('the CFG of the function at the cursor', title === '@diamond', title);
  await view.locator('svg [data-block]').first().waitFor({ timeout: 20000 });
  const names = await view.locator('svg text').allTextContents();
  check('the picture has the blocks', ['^copy', '^join'].every((name) => names.some((text) => text.includes(name))), names.join(' '));
  await bench.shot('3-cfg');

  const chip = view.locator('svg .chip[data-value]').filter({ has: view.locator('title', { hasText: '%copy is owned: memref.alloc' }) }).first();
  await chip.click({ timeout: 10000 });
  const cursor = await until(bench.page, () => bench.cursorLine(), (text) => text === '7');
  check('a click on a chip selects the value in the code', cursor === '7', cursor);
  const why = await until(bench.page, () => view.locator('#why').innerText(), (text) => /allocates it/.test(text));
  check('and says why', /%copy is owned: memref.alloc allocates it/.test(why), why);
  const row = await view.locator('#table tr.selected').allInnerTexts();
  check('and marks it in the ownership table', row.some((text) => /%copy\s+\^copy\s+owned/.test(text)), row.join('|'));

  await bench.click('call @consume', '%data');
  const picked = await until(bench.page, () => view.locator('svg .node.selected').allTextContents(), (all) => all.some((text) => text.includes('^join')));
  check('the cursor selects block and value in the picture', picked.length === 1 && picked[0].includes('^join'), picked);
  const chips = await view.locator('svg .chip.selected').count();
  check('with the chips of the value', chips > 0, String(chips));

  const line = view.locator('svg .line[data-op]').filter({ has: view.locator('title', { hasText: 'memref.copy' }) }).first();
  await line.click();
  const atCopy = await until(bench.page, () => bench.cursorLine(), (text) => text === '8');
  check('a click on an operation goes to it', atCopy === '8', atCopy);
  await bench.shot('4-selection');

  const before = await view.locator('#canvas svg').getAttribute('viewBox');
  await view.locator('#in').click();
  const after = await view.locator('#canvas svg').getAttribute('viewBox');
  check('zoom', Number(after.split(' ')[2]) < Number(before.split(' ')[2]), `${before} -> ${after}`);
  await view.locator('#fit').click();

  await view.locator('#stage').selectOption('3');
  const staged = await until(bench.page, async () => (await view.locator('svg text').allTextContents()).join(' '), (text) => text.includes('bufferization.dealloc'));
  check('the stage selector shows the inserted deallocs', staged.includes('bufferization.dealloc'), staged);
  await bench.shot('5-stage');
  await view.locator('#stage').selectOption('-1');
}

async function checkSteps(bench) {
  const view = bench.webview();
  await bench.click('memref.alloc', 'alloc');
  // The cursor's selection is shown after a pause; a step before it would be hidden by it.
  await until(bench.page, () => view.locator('svg .node.selected').allTextContents(), (all) => all.some((text) => text.includes('^copy')));
  await bench.page.waitForTimeout(600);
  const position = () => view.locator('#position').innerText();
  await bench.page.keyboard.press('Alt+]');
  const first = await until(bench.page, position, (text) => text.startsWith('1 /'));
  check('the key steps forward', /^1 \/ \d+/.test(first), first);
  await bench.page.keyboard.press('Alt+]');
  await bench.page.keyboard.press('Alt+]');
  const third = await until(bench.page, position, (text) => text.startsWith('3 /'));
  check('and on', third.startsWith('3 /'), third);
  const sentence = await view.locator('#why').innerText();
  check('with the decision in words', sentence.length > 10, sentence);
  await bench.page.keyboard.press('Alt+[');
  const back = await until(bench.page, position, (text) => text.startsWith('2 /'));
  check('the key steps back', back.startsWith('2 /'), back);
  await view.locator('#forward').click();
  const button = await until(bench.page, position, (text) => text.startsWith('3 /'));
  check('the button steps too', button.startsWith('3 /'), button);
  let borrowed = '';
  for (let at = 4; at < 9 && !borrowed.includes('borrows its arguments'); ++at) {
    await view.locator('#forward').click();
    await until(bench.page, position, (text) => text.startsWith(`${at} /`));
    borrowed = await view.locator('#why').innerText();
  }
  const marked = await view.locator('svg .chip.current').count();
  check('the chip of the decision is marked', borrowed.includes('borrows its arguments') && marked > 0, `${marked} ${borrowed}`);
  await bench.shot('6-steps');
}

async function checkStages(bench) {
  await bench.click('memref.alloc', 'alloc');
  await bench.command('memref-lens: Compare Stages');
  for (const wanted of ['from', 'to']) {
    await bench.page.locator('.quick-input-widget:visible .quick-input-title', { hasText: wanted }).waitFor({ timeout: 10000 });
    await bench.page.keyboard.press('Enter');
  }
  const tab = await bench.page.locator('.tab.active', { hasText: '0 input' }).innerText({ timeout: 20000 });
  check('the diff of input and last stage', /@diamond: 0 input ↔ 8 canonicalize/.test(tab), tab);
  const right = bench.page.locator('.monaco-diff-editor .modified .lines-content > .view-lines');
  const text = await until(bench.page, () => right.innerText(), (found) => found.includes('memref.dealloc'));
  check('shows the program after it', text.includes('memref.dealloc'), text);
  await bench.shot('7-diff');
  const tabText = () => bench.page.locator('.tab.active', { hasText: '↔' }).innerText();
  await bench.command('memref-lens: Previous Changing Stage');
  const earlier = await until(bench.page, tabText, (found) => /6 bufferization/.test(found));
  check('the previous changing stage', /5 \S+ ↔ 6 bufferization-lower/.test(earlier), earlier);
  await right.getByText('memref.dealloc').first().click();
  await bench.page.keyboard.press('Alt+[');
  const next = await until(bench.page, tabText, (found) => /5 buffer/.test(found) && !/6 /.test(found));
  check('and by key the one before', /4 canonicalize ↔ 5 buffer-deallocation-simplification/.test(next), next);
  await bench.command('View: Close Editor');
}

async function checkTrees(bench) {
  await bench.page.locator('.activitybar .action-label[aria-label^="memref-lens"]').first().click();
  const rows = bench.page.locator('.sidebar .monaco-list-row');
  const text = await until(bench.page, async () => (await rows.allInnerTexts()).join('\n'), (found) => /ownership-based/.test(found) && /%copy/.test(found));
  const causes = await until(bench.page, async () => (await rows.allInnerTexts()).join('\n'), (found) => /one of several buffers/.test(found));
  check('the tree of causes', /1 function, 1 allocation/.test(causes) && /1 {1,2}%data of \^join .* is one of several buffers/.test(causes), causes);
  check('the tree of stages', /3 ownership-based-buffer-deallocation/.test(text), text);
  check('the tree of buffers with their fate', /%copy\s*.*passed to/s.test(text), text);
  await rows.filter({ hasText: 'ownership-based' }).first().locator('.monaco-tl-twistie').click();
  const opened = await until(bench.page, async () => (await rows.allInnerTexts()).join('\n'), (found) => /allocates it|borrows its arguments/.test(found));
  check('the decisions of a stage', /allocates it|borrows its arguments/.test(opened), opened);
  await bench.shot('8-trees');
  await bench.command('View: Toggle Primary Side Bar Visibility');
}

async function checkSetting(bench, folder) {
  const file = path.join(folder, '.vscode/settings.json');
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, JSON.stringify({ 'memrefLens.inlayHints.terminators': false }));
  const without = await until(bench.page, () => bench.text(), (text) => !text.includes('deallocates %data') && /owned if/.test(text));
  check('a setting acts without a restart', !without.includes('deallocates %data') && without.includes('owned if'), without);
  fs.writeFileSync(file, '{}');
  await bench.line('  return', (line) => line.includes('deallocates'));
}

async function checkCrash(bench, program) {
  const id = serverProcess(program);
  check('the server runs', id !== undefined);
  process.kill(id, 'SIGKILL');
  const message = bench.page.locator('.notifications-toasts .notification-list-item', { hasText: 'ended unexpectedly' });
  const text = await message.first().innerText({ timeout: 20000 }).catch((error) => error.message);
  check('one message for a crash', /Show log/.test(text) && /Restart/.test(text) && /Turn analysis off/.test(text), text);
  check('and not two', (await message.count()) === 1);
  const status = await until(bench.page, () => bench.status(), (found) => /restarted/.test(found) && !/analysing/.test(found));
  check('the status bar says so', /restarted/.test(status), status);
  const fresh = await until(bench.page, async () => serverProcess(program), (found) => found !== undefined && found !== id);
  check('another server runs', fresh !== undefined && fresh !== id, String(fresh));
  await bench.shot('9-crash');
  await message.first().locator('.codicon-notifications-clear').click();
  await bench.click('memref.alloc', 'alloc');
  const hover = await bench.hover('memref.alloc', '%copy', /allocates it/);
  check('hovers are back', /allocates it/.test(hover), hover);
  const owned = await bench.line('%copy', (line) => /owned\s*=\s*memref\.alloc/.test(line));
  check('hints are back', /owned\s*=\s*memref\.alloc/.test(owned), owned);
}

const leaking = `func.func @leaks(%c: i1, %v: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %r = memref.load %a[%i] : memref<4xf32>
  cf.cond_br %c, ^free, ^end
^free:
  memref.dealloc %a : memref<4xf32>
  cf.br ^end
^end:
  return %r : f32
}
`;

async function checkPath(browser, vscode, folder) {
  const file = path.join(folder, 'leaks.mlir');
  fs.writeFileSync(file, leaking);
  const bench = await Workbench.open(browser, vscode.address(folder, file), given.out);
  const status = await until(bench.page, () => bench.status(), (text) => /2 findings/.test(text), 60000);
  check('the paths of a function are tried', /2 findings/.test(status), status);
  await bench.command('Problems: Focus on Problems View');
  const row = bench.page.locator('.markers-panel .monaco-list-row', { hasText: 'is never deallocated' }).first();
  const problem = await row.innerText({ timeout: 20000 });
  check('a finding names its rule', /leak/.test(problem), problem);
  const links = await bench.page.locator('.markers-panel .monaco-list-row a', { hasText: 'leak' }).count();
  check('which leads to its page', links > 0, String(links));
  await bench.click('memref.alloc', 'alloc');
  const at = () => bench.page.locator('.statusbar-item', { hasText: /Ln \d+/ }).first().innerText();
  const lines = [];
  for (const [command, number, line] of [['Next', 1, 2], ['Next', 2, 5], ['Next', 3, 10], ['Previous', 2, 5]]) {
    await bench.command(`memref-lens: ${command} Step of the Path`);
    // Told once the editor has the focus again, which the next command takes.
    await bench.page.locator('.statusbar-item', { hasText: `${number}/3 ` }).first().waitFor({ timeout: 30000 });
    await until(bench.page, at, (text) => new RegExp(`Ln ${line},`).test(text));
    lines.push(/Ln (\d+)/.exec(await at())?.[1]);
  }
  check('the path of a finding is walked', lines.join() === '2,5,10,5', lines.join());
  await bench.shot('20-path');
  await bench.close();
}

async function checkRejected(browser, vscode, folder) {
  const bench = await Workbench.open(browser, vscode.address(folder, path.join(folder, 'reject-loop.mlir')), given.out);
  const squiggle = await bench.page.waitForSelector('.editor-instance .squiggly-error', { timeout: 60000, state: 'attached' }).then(() => true, () => false);
  check('a refused function is marked', squiggle);
  await bench.command('Problems: Focus on Problems View');
  const problem = await bench.page.locator('.markers-panel .monaco-list-row', { hasText: 'memref-lens' }).first().innerText({ timeout: 20000 });
  check('with the message of the pass', /loop/i.test(problem), problem);
  const status = await until(bench.page, () => bench.status(), (text) => /finding/.test(text));
  check('the status bar counts findings', /\d+ findings?/.test(status), status);
  await bench.shot('10-rejected');
  await checkTreesOfRefused(test, bench);
  await bench.page.locator('.editor-instance .view-lines').first().click();
  await bench.page.keyboard.press('Control+End');
  await bench.page.keyboard.type('\n%');
  const stale = await until(bench.page, () => bench.status(), (text) => /stale/.test(text));
  check('a syntax error is told as stale', /stale/.test(stale), stale);
  await bench.close();
}

async function checkSecond(browser, vscode, folder) {
  vscode.write({ 'workbench.colorTheme': 'Default Light Modern', 'memrefLens.ownershipRanges.enabled': true });
  const bench = await Workbench.open(browser, vscode.address(folder, path.join(folder, 'loop-fresh.mlir')), given.out);
  const text = await until(bench.page, () => bench.text(), (found) => /owned/.test(found), 60000);
  check('hints in a second sample', /owned/.test(text), text);
  const kind = await bench.page.evaluate(() => document.querySelector('.monaco-workbench').className);
  check('the light theme', /\bvs\b/.test(kind) && !/vs-dark/.test(kind), kind);
  await bench.click('memref.alloc', 'alloc');
  await bench.command('memref-lens: Show CFG');
  const view = bench.webview();
  await view.locator('svg.light').waitFor({ timeout: 30000 });
  check('a light picture under a light theme', (await view.locator('svg.light').count()) === 1);
  await bench.shot('11-light');
  await checkThemes(test, bench, vscode);
  vscode.write({});
  await bench.close();
}

const several = `func.func @first(%out: memref<8xf32>) {
  %first = memref.alloc() : memref<8xf32>
  memref.copy %first, %out : memref<8xf32> to memref<8xf32>
  return
}
func.func @refused(%middle: memref<8xf32>) {
  memref.dealloc %middle : memref<8xf32>
  return
}
func.func @last(%end: memref<8xf32>) {
  %last = memref.alloc() : memref<8xf32>
  memref.copy %last, %end : memref<8xf32> to memref<8xf32>
  return
}
`;

/** Of a program with scratchpads: one space is shown at a time, and chosen. */
async function checkSpaces(browser, vscode, folder) {
  const file = path.join(folder, 'tiled-matmul.mlir');
  fs.copyFileSync(path.join(given.samples, 'spaces', 'tiled-matmul.mlir'), file);
  const bench = await Workbench.open(browser, vscode.address(folder, file), given.out);
  await bench.line('%lhs_panel', (line) => /owned/.test(line), 60000);
  await bench.click('func.func @matmul_transposed', 'matmul');
  await bench.command('memref-lens: Show Memory');
  const view = bench.webview();
  const choice = view.locator('#space');
  await choice.waitFor({ timeout: 60000 });
  const names = await choice.locator('option').allInnerTexts();
  check('memory spaces are a choice', names.length === 2 && names[0] !== names[1], names.join('|'));
  for (const [at, buffers, bytes] of [[0, /%lhs_panel/, /8 KiB/], [1, /%left_ping/, /5 KiB/]]) {
    await choice.selectOption({ index: at });
    const title = await until(bench.page, () => view.locator('#title').innerText(), (text) => text.includes(names[at]));
    check(`the peak of ${names[at]}`, title.includes(`@matmul_transposed, ${names[at]}: peak`) && bytes.test(title), title);
    const list = await until(bench.page, () => view.locator('#list').innerText(), (text) => buffers.test(text));
    check(`with the buffers that are alive in ${names[at]}`, buffers.test(list), list);
    await bench.shot(`21-space-${at}`);
  }
  await bench.close();
}

/** Event numbers of a file and of one function differ here. */
async function checkSeveral(browser, vscode, folder) {
  const file = path.join(folder, 'several.mlir');
  fs.writeFileSync(file, several);
  const bench = await Workbench.open(browser, vscode.address(folder, file), given.out);
  const alloc = await bench.line('%last', (line) => /owned/.test(line), 60000);
  check('hints in the last function, behind a refused one', /owned/.test(alloc), alloc);
  // Lenses move the lines.
  await until(bench.page, () => bench.page.locator('.codelens-decoration').count(), (count) => count >= 3);
  await bench.click('%last', 'memref.alloc');
  await bench.command('memref-lens: Show CFG');
  const view = bench.webview();
  const title = await until(bench.page, () => view.locator('#title').innerText(), (text) => text === '@last');
  check('the graph is that of the function at the cursor', title === '@last', title);
  await view.locator('svg [data-block]').first().waitFor({ timeout: 20000 });
  await bench.page.waitForTimeout(700);
  await bench.page.keyboard.press('Alt+]');
  await until(bench.page, () => view.locator('#position').innerText(), (text) => text.startsWith('1 /'));
  const sentences = [];
  const count = Number((await view.locator('#position').innerText()).split('/')[1]);
  for (let at = 1; at <= count; ++at) {
    await until(bench.page, () => view.locator('#position').innerText(), (text) => text.startsWith(`${at} /`));
    sentences.push(await view.locator('#why').innerText());
    if (at < count) await bench.page.keyboard.press('Alt+]');
  }
  check('its steps tell of it alone', sentences.some((text) => text.includes('%last')) && !sentences.some((text) => /%first|%out|%middle/.test(text)), sentences.join('|'));
  await bench.shot('12-several');
  await bench.close();
}

async function checkWrongPath(browser, vscode, folder) {
  vscode.write({ 'memrefLens.serverPath': '/nowhere/memref-lens-lsp-server' });
  const bench = await Workbench.open(browser, vscode.address(folder, path.join(folder, 'diamond.mlir')), given.out);
  const message = bench.page.locator('.notifications-toasts .notification-list-item', { hasText: 'serverPath names no program' });
  const text = await message.first().innerText({ timeout: 40000 });
  check('a wrong path is told', /Open Setting/.test(text), text);
  check('once', (await bench.page.locator('.notifications-toasts .notification-list-item').count()) === 1);
  const status = await until(bench.page, () => bench.status(), (found) => /off/.test(found));
  check('the status bar says off', /off/.test(status), status);
  await checkLate(test, bench, vscode, root);
  await bench.close();
  vscode.write({});
}

async function checkCompanion(browser, folder, program, settings) {
  const beside = await startServer({
    ...given, root: path.join(root, 'beside'), settings, packages: [given.vsix, given.official], log: path.join(given.out, 'server-beside.log'),
  });
  try {
    const bench = await Workbench.open(browser, beside.address(folder, path.join(folder, 'diamond.mlir')), given.out);
    const owned = await bench.line('%copy', (line) => line.includes('owned') && line.includes('memref.alloc'), 60000);
    check('hints beside the official extension, once', /%copy\s*owned\s*=/.test(owned), owned);
    const words = serverOf(program)?.words ?? [];
    check('where the server is a companion', words.includes('--companion'), words.join(' '));
    const hover = await bench.hover('memref.alloc', '%copy', /allocates it/);
    check('that leaves MLIR\'s own hover to the other', /allocates it/.test(hover) && !/Operation:/.test(hover), hover);
    await bench.close();
  } finally {
    await beside.stop();
  }
}

fs.rmSync(given.out, { recursive: true, force: true });
fs.mkdirSync(given.out, { recursive: true });
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'memref-lens-vscode-'));
const folder = path.join(root, 'programs');
fs.mkdirSync(path.join(root, 'bin'));
fs.mkdirSync(folder);
for (const name of ['diamond', 'loop-fresh', 'reject-loop']) fs.copyFileSync(path.join(given.samples, `${name}.mlir`), path.join(folder, `${name}.mlir`));
const program = path.join(root, 'bin', 'memref-lens-lsp-server');
fs.symlinkSync(given.server, program);
fs.symlinkSync(given.cli, path.join(root, 'bin', 'memref-lens'));

const test = { check, server: () => serverProcess(program) };
let browser;
let vscode;
try {
  const settings = { 'memrefLens.serverPath': program, 'memrefLens.server.crashReports': false, 'workbench.colorTheme': 'Default Dark Modern' };
  vscode = await startServer({ ...given, root, settings, packages: [given.vsix], log: path.join(given.out, 'server.log') });
  browser = await chromium.launch({
    executablePath: given.chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const bench = await Workbench.open(browser, vscode.address(folder, path.join(folder, 'diamond.mlir')), given.out);
  await part('hints', () => checkHints(bench));
  await bench.shot('1-hints');
  await part('hovers', () => checkHovers(bench));
  await part('CFG', () => checkCfg(bench));
  await part('steps', () => checkSteps(bench));
  await part('stages', () => checkStages(bench));
  await part('trees', () => checkTrees(bench));
  await part('setting', () => checkSetting(bench, folder));
  await part('a hidden view', () => checkHidden(test, bench));
  await part('picture files', () => checkPictureFiles(test, bench, root));
  await part('crash', () => checkCrash(bench, program));
  const log = fs.readFileSync(path.join(given.out, 'console.log'), 'utf8');
  const refused = log.split('\n').filter((line) => /Content Security Policy/.test(line) && /webview\.js|cfg\.css|inline/.test(line));
  check('the page breaks no policy of its own', refused.length === 0, refused.join('\n'));
  await bench.close();
  const second = await Workbench.open(browser, vscode.address(folder, path.join(folder, 'diamond.mlir')), given.out);
  await second.line('%copy', (line) => line.includes('owned'), 60000);
  await part('ranges', () => checkRanges(test, second, folder));
  await part('commands', () => checkCommands(test, second, root));
  await part('tensors', () => checkTensors(test, second, folder));
  await part('the desktop viewer', () => checkViewer(test, second, root, folder));
  await part('the walkthrough', () => checkWalkthrough(test, second));
  await part('the status bar', () => checkStatus(test, second, folder));
  await part('an early graph', () => checkEarlyCfg(test, second));
  await part('analysis turned off', () => checkOff(test, second));
  await second.close();
  await part('a refused function', () => checkRejected(browser, vscode, folder));
  await part('the path of a finding', () => checkPath(browser, vscode, folder));
  await part('memory spaces', () => checkSpaces(browser, vscode, folder));
  await part('several functions', () => checkSeveral(browser, vscode, folder));
  await part('a second sample, light', () => checkSecond(browser, vscode, folder));
  await part('a wrong path', () => checkWrongPath(browser, vscode, folder));
  await vscode.stop();
  fs.mkdirSync(path.join(root, 'beside'));
  await part('beside the official extension', () => checkCompanion(browser, folder, program, settings));
} catch (error) {
  check('the run', false, error.stack);
} finally {
  await browser?.close().catch(() => {});
  await vscode?.stop();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
console.log(`${passed} passed, ${failed} failed; pictures and logs in ${given.out}`);
process.exit(failed ? 1 : 0);
