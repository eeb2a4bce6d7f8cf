// Pictures of models in a real VS Code: the tree of causes, and the place of the
// first one in the code, with its hints.
//
//   node models.mjs '{"vscode":…,"node":…,"vsix":…,"server":…,"cli":…,"models":{NAME:FILE},"chromium":…,"out":…}'
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { startServer, until, Workbench } from './workbench.mjs';

const given = JSON.parse(process.argv[2]);
const { chromium } = createRequire(path.join(given.node, 'package.json'))('playwright-core');
let failed = 0;

/** The view at the side is as wide as a cause needs. */
async function widen(bench, width) {
  const edge = await bench.page.locator('.part.sidebar').boundingBox();
  await bench.page.mouse.move(edge.x + edge.width, edge.y + 300);
  await bench.page.mouse.down();
  await bench.page.mouse.move(edge.x + width, edge.y + 300, { steps: 5 });
  await bench.page.mouse.up();
}

async function photograph(bench, name) {
  await bench.page.locator('.activitybar .action-label[aria-label^="memref-lens"]').first().click();
  // What stands above the causes has nothing below it.
  const first = bench.page.locator('.sidebar .monaco-list-row[aria-expanded]').first();
  const text = await until(bench.page, () => first.innerText(), (found) => /^\s*1\s/.test(found), 120000);
  await widen(bench, 720);
  await first.click();
  await until(bench.page, () => bench.cursorLine(), (line) => line !== '1');
  const rows = bench.page.locator('.sidebar .monaco-list-row');
  await until(bench.page, () => rows.allInnerTexts(), (all) => all.some((row) => /expand-realloc/.test(row)), 60000);
  await bench.page.waitForTimeout(1500);
  await bench.shot(name);
  const isGood = /^\s*1\s/.test(text);
  failed += !isGood;
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${name}: ${text}`);
}

fs.rmSync(given.out, { recursive: true, force: true });
fs.mkdirSync(given.out, { recursive: true });
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'memref-lens-models-'));
const settings = {
  'memrefLens.serverPath': given.server, 'memrefLens.cliPath': given.cli, 'workbench.colorTheme': 'Default Dark Modern',
};
let browser;
let vscode;
try {
  vscode = await startServer({ ...given, root, settings, packages: [given.vsix], log: path.join(given.out, 'server.log') });
  browser = await chromium.launch({ executablePath: given.chromium, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
  for (const [name, file] of Object.entries(given.models)) {
    const folder = path.join(root, name);
    fs.mkdirSync(folder);
    const copy = path.join(folder, `${name}.mlir`);
    fs.copyFileSync(file, copy);
    const bench = await Workbench.open(browser, vscode.address(folder, copy), given.out);
    await photograph(bench, name);
    await bench.close();
  }
} catch (error) {
  ++failed;
  console.log(`FAIL the run\n        ${error.stack}`);
} finally {
  await browser?.close().catch(() => {});
  await vscode?.stop();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
console.log(`${Object.keys(given.models).length} models, ${failed} failed; pictures and logs in ${given.out}`);
process.exit(failed ? 1 : 0);
