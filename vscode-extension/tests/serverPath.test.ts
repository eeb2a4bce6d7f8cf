import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findServer, findTool, type Wanted, type World } from '../src/serverPath';

/** Programs by path, with what they print for --version. */
function worldOf(programs: Record<string, string>): World {
  return { isExecutable: (file) => file in programs, versionOf: async (file) => programs[file] };
}

const ours = 'memref-lens-lsp-server 0.2.0 (LLVM/MLIR 22.1.8)';
const nothing: Wanted = { setting: '', mlirSetting: '', searchPath: '/a:/b', folders: ['/home/project'], extensionFolder: '/checkout/vscode-extension' };

test('the setting goes before all others', async () => {
  const world = worldOf({ '/set/server': ours, '/a/memref-lens-lsp-server': ours });
  assert.deepEqual(await findServer({ ...nothing, setting: '/set/server' }, world), { file: '/set/server', from: 'setting' });
});

test('a wrong setting is told, not passed over', async () => {
  const world = worldOf({ '/a/memref-lens-lsp-server': ours, '/set/other': 'mlir-lsp-server' });
  for (const setting of ['/set/none', '/set/other']) {
    const found = await findServer({ ...nothing, setting }, world);
    assert.ok('problem' in found && found.problem.includes(setting) && found.setting === 'memrefLens.serverPath');
  }
});

test('MLIR\'s setting counts only if it names our server', async () => {
  const world = worldOf({ '/mlir/server': 'LLVM version 22', '/our/server': ours, '/b/memref-lens-lsp-server': ours });
  assert.deepEqual(await findServer({ ...nothing, mlirSetting: '/our/server' }, world), { file: '/our/server', from: 'mlir.server_path' });
  assert.deepEqual(await findServer({ ...nothing, mlirSetting: '/mlir/server' }, world), { file: '/b/memref-lens-lsp-server', from: 'PATH' });
});

const own = '/checkout/vscode-extension/server/bin/memref-lens-lsp-server';

test('the server that came with the extension goes before PATH, and behind the settings', async () => {
  const world = worldOf({ '/a/memref-lens-lsp-server': ours, [own]: ours, '/set/server': ours, '/our/server': ours });
  assert.deepEqual(await findServer(nothing, world), { file: own, from: 'this extension' });
  assert.deepEqual(await findServer({ ...nothing, setting: '/set/server' }, world), { file: '/set/server', from: 'setting' });
  assert.deepEqual(await findServer({ ...nothing, mlirSetting: '/our/server' }, world), { file: '/our/server', from: 'mlir.server_path' });
});

test('a server that came with the extension and does not run here is passed over', async () => {
  const world: World = { isExecutable: (file) => file === own || file === '/a/memref-lens-lsp-server', versionOf: async (file) => (file === own ? undefined : ours) };
  assert.deepEqual(await findServer(nothing, world), { file: '/a/memref-lens-lsp-server', from: 'PATH' });
});

test('a build folder is the last resort', async () => {
  const world = worldOf({ '/checkout/build/bin/memref-lens-lsp-server': ours });
  assert.deepEqual(await findServer(nothing, world), { file: '/checkout/build/bin/memref-lens-lsp-server', from: 'build folder' });
});

test('a relative setting is of the workspace', async () => {
  const world = worldOf({ '/home/project/bin/s': ours });
  for (const setting of ['bin/s', '${workspaceFolder}/bin/s'])
    assert.deepEqual(await findServer({ ...nothing, setting }, world), { file: '/home/project/bin/s', from: 'setting' });
});

test('no server is a problem with a setting to open', async () => {
  const found = await findServer(nothing, worldOf({}));
  assert.ok('problem' in found && found.setting);
});

test('a relative folder in PATH is passed over', async () => {
  const found = await findServer({ ...nothing, searchPath: '.:bin' }, worldOf({ 'memref-lens-lsp-server': ours, 'bin/memref-lens-lsp-server': ours }));
  assert.ok('problem' in found);
});

test('a tool is beside the server, else with the extension, else on PATH; a setting goes before all', () => {
  for (const name of ['memref-lens', 'memref-lens-viewer']) {
    const places = { setting: '', server: '/x/server', searchPath: '/a:/b', extensionFolder: '/ext' };
    const find = (more: Partial<typeof places>, ...programs: string[]) => findTool(name, { ...places, ...more }, worldOf(Object.fromEntries(programs.map((file) => [file, '']))));
    const bundledTool = `/ext/server/bin/${name}`;
    assert.equal(find({}, `/x/${name}`, bundledTool, `/a/${name}`), `/x/${name}`);
    assert.equal(find({}, bundledTool, `/a/${name}`), bundledTool);
    assert.equal(find({ server: '' }, bundledTool, `/a/${name}`), bundledTool);
    assert.equal(find({}, `/b/${name}`), `/b/${name}`);
    assert.equal(find({ setting: '/y/tool' }, '/y/tool', `/x/${name}`), '/y/tool');
    assert.equal(find({ setting: '/none' }, `/x/${name}`, bundledTool), undefined);
    assert.equal(find({ server: '' }, name, `./${name}`), undefined);
  }
});
