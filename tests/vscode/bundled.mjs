// The package that has the programs in it, in a real VS Code without a setting: the
// server that came with the extension answers, and the command line exports.
//
//   node bundled.mjs '{"vscode":…,"node":…,"vsix":…,"samples":…,"chromium":…,"out":…}'
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { startServer, until, Workbench } from './workbench.mjs';

const given = JSON.parse(process.argv[2]);
const { chromium } = createRequire(path.join(given.node, 'package.json'))('playwright-core');
let passed = 0;
let failed = 0;

function check(name, isGood, detail = '') {
  isGood ? ++passed : ++failed;
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${name}${isGood ? '' : `\n        ${String(detail).slice(0, 400)}`}`);
}

/** Our servers among this machine's processes that lie below `root`. */
function serversBelow(root) {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((id) => {
    try {
      const program = fs.readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0')[0];
      if (!program.startsWith(root) || !program.endsWith('/memref-lens-lsp-server')) return [];
      const maps = fs.readFileSync(`/proc/${id}/maps`, 'utf8');
      return [{ program, libraries: [...new Set(maps.match(/\/\S+\.so[.\d]*/g))] }];
    } catch {
      return []; // It ended meanwhile.
    }
  });
}

async function checkServer(bench, extensions) {
  const hover = await bench.hover('memref.alloc', '%copy', /allocates it/);
  check('a hover tells who owns the memref', /%copy/.test(hover) && /allocates it/.test(hover), hover);
  const hint = await bench.line('%copy', (line) => line.includes('owned') && line.includes('memref.alloc'));
  check('and so does a hint', /owned/.test(hint), hint);
  const servers = serversBelow(extensions);
  check('by the server of the extension', servers.length > 0, JSON.stringify(servers));
  const foreign = servers.flatMap(({ libraries }) => libraries).filter((file) => /MLIR|LLVM|libgvc/.test(file) && !file.startsWith(extensions));
  check('with libraries of the extension', servers.some(({ libraries }) => libraries.some((file) => /libgvc/.test(file))) && foreign.length === 0, foreign.join(' '));
}

async function checkCommandLine(bench) {
  await bench.click('memref.alloc', 'alloc');
  await bench.command('memref-lens: Show Lifetimes');
  const frame = bench.webview();
  const shown = await until(bench.page, () => frame.locator('img').first().getAttribute('src'), (text) => /^data:image\/svg/.test(text ?? ''), 30000);
  check('the command line of the extension draws', /^data:image\/svg/.test(shown ?? ''), shown);
}

fs.rmSync(given.out, { recursive: true, force: true });
fs.mkdirSync(given.out, { recursive: true });
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'memref-lens-vscode-'));
const folder = path.join(root, 'programs');
fs.mkdirSync(folder);
fs.copyFileSync(path.join(given.samples, 'diamond.mlir'), path.join(folder, 'diamond.mlir'));
// Where a program of ours might be installed on this machine.
process.env.PATH = process.env.PATH.split(path.delimiter).filter((at) => !fs.existsSync(path.join(at, 'memref-lens-lsp-server'))).join(path.delimiter);

let browser;
let vscode;
try {
  vscode = await startServer({ ...given, root, settings: {}, packages: [given.vsix], log: path.join(given.out, 'server.log') });
  browser = await chromium.launch({
    executablePath: given.chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const bench = await Workbench.open(browser, vscode.address(folder, path.join(folder, 'diamond.mlir')), given.out);
  await bench.line('%copy', (line) => line.includes('owned'), 60000);
  await checkServer(bench, path.join(root, 'extensions'));
  await bench.shot('bundled');
  await checkCommandLine(bench);
  await bench.close();
} catch (error) {
  check('the run', false, error.stack);
} finally {
  await browser?.close().catch(() => {});
  await vscode?.stop();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
console.log(`${passed} passed, ${failed} failed; pictures and logs in ${given.out}`);
process.exit(failed || passed < 5 ? 1 : 0);
