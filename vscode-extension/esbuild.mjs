// Bundles the extension and its webview into dist/; with --tests, the unit
// tests into dist-tests/.
import { build } from 'esbuild';
import { readdirSync } from 'node:fs';

const common = { bundle: true, sourcemap: false, legalComments: 'none', logLevel: 'warning' };
const node = { ...common, platform: 'node', format: 'cjs', target: 'node18', external: ['vscode'] };

if (process.argv.includes('--tests')) {
  const tests = readdirSync('tests').filter((name) => name.endsWith('.test.ts'));
  await build({ ...node, entryPoints: tests.map((name) => `tests/${name}`), outdir: 'dist-tests' });
} else {
  await build({ ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', minify: true });
  await build({
    ...common, platform: 'browser', format: 'iife', target: 'es2022', minify: true,
    entryPoints: ['src/webview/main.ts'], outfile: 'dist/webview.js',
  });
}
