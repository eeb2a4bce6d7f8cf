// Bundles the extension and its webview into dist/; with --tests, the unit
// tests into dist-tests/.
import { build } from 'esbuild';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const common = { bundle: true, sourcemap: false, legalComments: 'none', logLevel: 'warning' };
const node = { ...common, platform: 'node', format: 'cjs', target: 'node18', external: ['vscode'] };

if (process.argv.includes('--tests')) {
  const tests = readdirSync('tests').filter((name) => name.endsWith('.test.ts'));
  await build({ ...node, entryPoints: tests.map((name) => `tests/${name}`), outdir: 'dist-tests' });
} else {
  await build({ ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', minify: true });
  // A finding's code leads to the page of its rule.
  rmSync('dist/rules', { recursive: true, force: true });
  cpSync(join(process.env.MEMREF_LENS_ROOT ?? '..', 'docs/rules'), 'dist/rules', { recursive: true });
  await build({
    ...common, platform: 'browser', format: 'iife', target: 'es2022', minify: true,
    entryPoints: { webview: 'src/webview/main.ts', memory: 'src/webview/memory.ts' }, outdir: 'dist',
  });
}
