// The mirror in protocol.ts against lsp/PROTOCOL.md and the server's sources.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { method, protocolVersion } from '../src/protocol';

const root = process.env['MEMREF_LENS_ROOT'] ?? path.resolve('..');
const methodsIn = (text: string) => [...new Set(text.match(/memrefLens\/\w+/g) ?? [])].sort();
const mirrored: string[] = Object.values(method).sort();

test('the server routes the methods of the mirror and no others', () => {
  const read = (file: string) => readFileSync(path.join(root, 'lsp', file), 'utf8');
  const names = read('wire/OwnMethods.h');
  assert.deepEqual(methodsIn(names), mirrored);
  assert.equal(/ \*all\[\] = \{([^}]*)\}/.exec(names)?.[1]?.split(',').length, mirrored.length);
  const version = /"memrefLens", \{\{"protocol", (\d+)\}\}/.exec(read('supervisor/Configuration.cpp'));
  assert.equal(Number(version?.[1]), protocolVersion);
});

/** The document's sections, by method. */
function sections(): Map<string, string> {
  const text = readFileSync(path.join(root, 'lsp/PROTOCOL.md'), 'utf8');
  const found = [...text.matchAll(/^## `(memrefLens\/\w+)`\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)];
  return new Map(found.map((one) => [one[1] ?? '', one[2] ?? '']));
}

test('the protocol document describes the methods of the mirror and no others', () => {
  assert.deepEqual([...sections().keys()].sort(), mirrored);
});

/** Per method, what protocol.ts sends and what it reads. */
const fields: Record<string, string[]> = {
  [method.trace]: ['textDocument', 'function', 'position', 'trace', 'version'],
  [method.stages]: ['textDocument', 'function', 'position', 'stages', 'number', 'name', 'changed', 'version'],
  [method.stageText]: ['textDocument', 'function', 'position', 'stage', 'name', 'lastStage', 'text', 'version'],
  [method.cfg]: ['textDocument', 'function', 'format', 'stage', 'theme', 'detail', 'svg', 'note', 'picture', 'version', 'nodes', 'block', 'title', 'rows', 'kind', 'chips', 'meaning', 'condition', 'tooltip', 'value'],
  [method.events]: ['textDocument', 'function', 'events', 'event', 'stage', 'kind', 'sentence', 'block', 'range', 'version'],
  [method.eventsAt]: ['textDocument', 'position', 'about', 'events', 'version'],
  [method.eventPlace]: ['textDocument', 'function', 'event', 'stage', 'kind', 'sentence', 'range', 'version'],
  [method.explain]: ['textDocument', 'position', 'explanations', 'sentence', 'evidence', 'text', 'range', 'remedies', 'version'],
  [method.memory]: ['textDocument', 'function', 'memory', 'functions', 'version', 'title', 'aCall', 'growth', 'fits', 'needlessOverlaps', 'words', 'overflowBytes', 'capacityBytes', 'peakBytes', 'peakStep', 'peakIsLowerBound', 'gaps', 'unknownSizes', 'hasBranches', 'peakAfterLastUseBytes', 'peakNeededBytes', 'places', 'liveOnAnyPath', 'liveAfterLastUse', 'needed', 'buffers', 'name', 'bytes', 'at', 'begin', 'lastUse', 'end', 'whileUsed', 'whenIdle', 'ended', 'why'],
  [method.causes]: ['textDocument', 'state', 'problem', 'isOfThisText', 'report', 'files', 'version', 'tested', 'waits', 'runs', 'failed', 'unsaved', 'nothing', 'off'],
  [method.status]: ['analysis', 'analysisDocuments', 'uri', 'version', 'reported'],
};

test('the protocol document has the fields of the mirror, and the mirror those of the document', () => {
  const mirror = readFileSync(path.join(root, 'vscode-extension/src/protocol.ts'), 'utf8');
  for (const [name, section] of sections()) {
    for (const field of fields[name] ?? [`${name} is not listed`]) assert.match(section, new RegExp(`\\b${field}\\b`), `${name}: ${field}`);
    for (const field of fields[name] ?? []) assert.match(mirror, new RegExp(`\\b${field}\\b`), `${name}: ${field}`);
  }
});

test('the fields of the mirror are those that the server writes', () => {
  const text = ['Requests.cpp', 'Protocol.cpp'].map((file) => readFileSync(path.join(root, 'lsp/analysis', file), 'utf8')).join();
  for (const field of ['version', 'trace', 'stages', 'number', 'name', 'changed', 'stage', 'lastStage', 'text', 'svg', 'note', 'about', 'events', 'event', 'kind', 'sentence', 'range', 'explanations', 'evidence', 'remedies'])
    assert.ok(text.includes(`"${field}"`), field);
  for (const parameter of ['function', 'position', 'stage', 'theme', 'detail', 'format']) assert.ok(text.includes(`"${parameter}"`), parameter);
});

test('the fields of memory are those that its writer has', () => {
  const text = readFileSync(path.join(root, 'core/memory/MemoryJson.cpp'), 'utf8');
  for (const field of (fields[method.memory] ?? []).filter((one) => !['textDocument', 'memory', 'version'].includes(one))) assert.ok(text.includes(`"${field}"`), field);
});

test('the fields of the trace are those of its schema', () => {
  const schema = readFileSync(path.join(root, 'docs/trace.schema.json'), 'utf8');
  for (const field of ['schemaVersion', 'source', 'functions', 'blocks', 'ops', 'values', 'range', 'nameRange', 'uses', 'isMemref', 'generated'])
    assert.ok(schema.includes(`"${field}"`), field);
});

test('each option of a run that the extension types is one of the command line', () => {
  const options = (file: string) => [...readFileSync(path.join(root, file), 'utf8').matchAll(/['"`](--[\w-]+)/g)].map((found) => found[1]);
  const typed = options('vscode-extension/src/pipelineArguments.ts');
  const known = options('core/trace/RunArguments.cpp');
  assert.ok(typed.length > 8);
  assert.deepEqual(typed.filter((option) => !known.includes(option)), []);
});

type Setting = { default: unknown; description?: string; markdownDescription?: string };
const settings = (JSON.parse(readFileSync(path.join(root, 'vscode-extension/package.json'), 'utf8')) as
  { contributes: { configuration: { properties: Record<string, Setting> } } }).contributes.configuration.properties;

test('every option that the server reads is a setting', () => {
  const source = readFileSync(path.join(root, 'lsp/analysis/Options.cpp'), 'utf8');
  const group: Record<string, string> = { pipeline: 'pipeline.', hints: 'inlayHints.', diagnostics: 'diagnostics.', findings: 'findings.', lenses: 'codeLens.', json: '' };
  const read = [...source.matchAll(/read(?:Flag|Text|Size|Severity)\((\w+),\s*"(\w+)"/g)].map((found) => `memrefLens.${group[found[1] ?? ''] ?? '?'}${found[2]}`);
  assert.ok(read.length > 15);
  assert.deepEqual(read.filter((name) => !(name in settings)), []);
});

/** Settings of this client alone, and those that are arguments of the server. */
const clientOnly = ['serverPath', 'cliPath', 'viewerPath', 'mode', 'server.log', 'server.crashReports', 'ownershipRanges.enabled', 'trace.server', 'dialectPlugins', 'passPlugins'];
/** Lenses and hovers that run commands are for clients that have these, as this one has. */
const otherDefault = ['codeLens.commands', 'hover.evidenceCommand'];

test('the settings are those that the server\'s own list has, with its defaults', () => {
  const text = readFileSync(path.join(root, 'lsp/README.md'), 'utf8');
  const rows = [...text.slice(text.indexOf('## Settings'), text.indexOf('\n## Why')).matchAll(/^\| (`[^|]*) \| ([^|]*) \|/gm)];
  const listed = new Map<string, string>();
  for (const [, names = '', given = ''] of rows) {
    let group = '';
    for (const [, name = ''] of names.matchAll(/`([^`]+)`/g)) {
      if (!name.startsWith('.')) group = name.split('.').slice(0, -1).join('.');
      listed.set(name.startsWith('.') ? group + name : name, given);
    }
  }
  assert.deepEqual([...listed.keys(), ...clientOnly].map((name) => `memrefLens.${name}`).sort(), Object.keys(settings).sort());
  for (const [name, given] of listed) {
    // In an argument's words the default is in parentheses.
    const written = /\((\d+)\)/.exec(given)?.[1] ?? /^`([^`]*)`/.exec(given)?.[1];
    const wanted: unknown = name === 'pipeline.bufferizeOptions' ? '' : JSON.parse(written ?? 'null');
    if (!otherDefault.includes(name)) assert.deepEqual(settings[`memrefLens.${name}`]?.default, wanted, name);
  }
});

test('every setting is described', () => {
  for (const [name, { description, markdownDescription }] of Object.entries(settings))
    assert.match(description ?? markdownDescription ?? '', /^[A-Z"].{10,}\.$/s, name);
});
