import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CrashPolicy, crashWindow, mostCrashes } from '../src/crashPolicy';
import { evidenceItems } from '../src/evidenceItems';
import { pageOfRule, stepAfter, stepsOf } from '../src/findingPath';
import { ownershipRows } from '../src/ownershipTable';
import { overviewIn } from '../src/overview';
import { argumentProblem, noteLine, programRunIn, runArguments } from '../src/programRun';
import { pipelineArguments, pluginArguments, settingsUnlikeUpstream } from '../src/pipelineArguments';
import { addressOf, changeNear, labelOf, pathOf, queryOf, tensorCopies } from '../src/stageUri';
import { reportPage } from '../src/reportPage';
import { characterOf, columnOf } from '../src/textColumns';
import { contentSecurityPolicy, memoryPageOf, pageOf } from '../src/webviewHtml';

test('a crash is told once while its message is there', () => {
  const policy = new CrashPolicy();
  assert.deepEqual(policy.crashed(0), { restart: true, tell: true });
  assert.deepEqual(policy.crashed(1), { restart: true, tell: false });
  policy.told();
  assert.deepEqual(policy.crashed(2), { restart: true, tell: true });
});

test('a server that dies too often stays off, and that is told', () => {
  const policy = new CrashPolicy();
  for (let at = 0; at < mostCrashes; ++at) assert.equal(policy.crashed(at).restart, true);
  assert.deepEqual(policy.crashed(10), { restart: false, tell: true });
  assert.equal(policy.crashed(crashWindow + 100).restart, true);
});

test('the places behind a cause are those of its findings', () => {
  const entry = { sentence: 'late', line: 9, column: 3, costs: '', fixes: [], advice: '', causes: [1] };
  const place = (line: number, utf16Column: number) => ({ line, column: 7, utf16Column });
  const findings = [
    { cause: 0, message: 'a', place: place(1, 5) },
    { cause: 1, message: 'b', place: place(2, 0) },
    { cause: 1, message: 'c', place: place(3, 4) },
  ];
  const report = { unreadable: false, overview: { counts: '1 function', peak: '', entries: [entry] }, findings };
  const overview = overviewIn(JSON.stringify({ files: [report] }));
  assert.deepEqual(overview?.entries[0]?.places, [
    { line: 2, column: 7, message: 'b' },
    { line: 3, column: 4, message: 'c' },
  ]);
  assert.equal(overviewIn(''), undefined);
  assert.equal(overviewIn(JSON.stringify({ files: [{ ...report, unreadable: true }] })), undefined);
  assert.equal(overviewIn(JSON.stringify({ files: [] })), undefined);
});

test('the pipeline of the command line is that of the settings', () => {
  assert.deepEqual(pipelineArguments({}), []);
  assert.deepEqual(
    pipelineArguments({ privateFunctionDynamicOwnership: true, allowUnregisteredDialect: true, bufferize: true, bufferizeOptions: 'x=1', pre: 'a(b)' }),
    ['--private-function-dynamic-ownership', '--allow-unregistered-dialect', '--bufferize=x=1', '--pre=a(b)'],
  );
});

test('ops that are not registered are looked past where the settings say so', () => {
  assert.deepEqual(pipelineArguments({ unregistered: 'reject' }), []);
  assert.deepEqual(pipelineArguments({ unregistered: 'assume-pure' }), ['--unregistered=assume-pure']);
  assert.deepEqual(pipelineArguments({ passes: 'classic', refineDistinctObjects: true }), ['--pipeline=classic', '--refine=distinct-objects']);
  assert.deepEqual(settingsUnlikeUpstream({ unregistered: 'reject', pre: 'a' }), []);
  assert.deepEqual(settingsUnlikeUpstream({ unregistered: 'assume-reads', passes: 'classic' }), ['pipeline.passes', 'pipeline.unregistered']);
});

test('plugins are named by whole paths', () => {
  assert.deepEqual(pluginArguments({ dialects: [], passes: [] }, []), []);
  assert.deepEqual(
    pluginArguments({ dialects: ['build/libMine.so', '/opt/libTheirs.so', ''], passes: ['${workspaceFolder}/p.so'] }, ['/work', '/other']),
    ['--load-dialect-plugin=/work/build/libMine.so', '--load-dialect-plugin=/opt/libTheirs.so', '--load-pass-plugin=/work/p.so'],
  );
});

test('no workspace that is not trusted names programs or plugins', () => {
  const about = JSON.parse(readFileSync('package.json', 'utf8')) as { capabilities: { untrustedWorkspaces: { supported: boolean } } };
  assert.equal(about.capabilities.untrustedWorkspaces.supported, false);
});

test('the ownership table says what the picture says', () => {
  const chip = (meaning: string, value: number, condition?: string) => ({ meaning, value, condition, tooltip: `why ${meaning}` });
  const picture = {
    nodes: [
      { block: 2, title: '^b', rows: [{ kind: 'ownership', chips: [chip('owned-if', 1, '%x and not %y'), chip('borrowed', 0), { meaning: 'plain' }] }] },
      { block: 1, title: '^a', rows: [{ kind: 'freed', chips: [chip('freed', 0)] }, { kind: 'ownership', chips: [chip('owned', 0)] }] },
    ],
  };
  const trace = { schemaVersion: 1, source: {}, values: [{ id: 0, name: 'a' }, { id: 1, name: 'd' }] };
  assert.deepEqual(
    ownershipRows(picture, trace).map((row) => [row.name, row.blockName, row.state, row.why].join(' | ')),
    ['%a | ^a | owned | why owned', '%a | ^b | borrowed | why borrowed', '%d | ^b | owned if %x and not %y | why owned-if'],
  );
});

test('the address of a stage survives the way through a URI', () => {
  const address = { uri: 'file:///a%20b/ü.mlir', function: 'f/..?#"', stage: 3, name: 'cse' };
  assert.deepEqual(addressOf(queryOf(address)), address);
  assert.equal(pathOf(address), '/f_..___.3-cse.mlir');
  // Between the steps of one-shot-bufferize there is no pass with a number.
  assert.equal(pathOf({ ...address, function: 'f', stage: tensorCopies, name: 'tensor-copies' }), '/f.tensor-copies.mlir');
  assert.deepEqual([labelOf(3, 'cse'), labelOf(tensorCopies, 'tensor-copies')], ['3 cse', 'tensor-copies']);
  for (const broken of ['', '[]', '{}', '["a","b","c","d"]']) assert.equal(addressOf(broken), undefined);
});

test('stages without a change are passed over', () => {
  const stages = [true, false, true, true, false].map((changed, number) => ({ number, changed }));
  assert.equal(changeNear(stages, 0, 1), 2);
  assert.equal(changeNear(stages, 3, 1), undefined);
  assert.equal(changeNear(stages, 3, -1), 2);
  assert.equal(changeNear(stages, 2, -1), undefined);
});

test('the page allows one script, by nonce, and nothing inline', () => {
  const parts = { nonce: 'abc', cspSource: 'https://host', script: 's.js', style: 's.css' };
  assert.equal(contentSecurityPolicy(parts), "default-src 'none'; script-src 'nonce-abc'; style-src https://host; img-src blob: data:");
  for (const page of [pageOf(parts), memoryPageOf(parts)]) {
    assert.equal(page.match(/<script/g)?.length, 1);
    assert.doesNotMatch(page, /\son\w+=|\sstyle=|<style|javascript:|https?:\/\/(?!host)/);
    assert.ok(page.includes(contentSecurityPolicy(parts)));
  }
});

test('every command of the manifest is registered, and the other way round', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { contributes: { commands: { command: string }[] } };
  const source = readFileSync('src/extension.ts', 'utf8');
  const table = /const commands[^{]*\{([\s\S]*?)\n {2}\};/.exec(source)?.[1] ?? '';
  const registered = [...table.matchAll(/^ {4}(\w+):/gm)].map((found) => `memrefLens.${found[1]}`).sort();
  assert.deepEqual(registered, manifest.contributes.commands.map((one) => one.command).sort());
});

test('the grammar is made of expressions that compile', () => {
  const grammar = JSON.parse(readFileSync('syntaxes/mlir.tmLanguage.json', 'utf8')) as { patterns: { match?: string }[] };
  for (const { match } of grammar.patterns) if (match) new RegExp(match);
});

test('the report in a panel has the editor\'s theme, and its own policy', () => {
  const page = reportPage('<!DOCTYPE html><html lang="en"><head><meta http-equiv="Content-Security-Policy" content="x"></head></html>', 'dark');
  assert.match(page, /^<!DOCTYPE html><html data-theme="dark" lang="en"><head><style>[^<]*<\/style><meta http-equiv="Content-Security-Policy" content="x">/);
});

test('the steps of a path are those that the server numbers', () => {
  const related = ['%a is owned', '1/2 %c is true, to ^bb1', '2/2 %a is freed again'].map((message) => ({ message }));
  assert.deepEqual(stepsOf(related), related.slice(1));
  assert.deepEqual(stepsOf(undefined), []);
});

test('a walk begins at either end, and stays there', () => {
  assert.equal(stepAfter(-1, 3, 1), 0);
  assert.equal(stepAfter(-1, 3, -1), 2);
  assert.equal(stepAfter(1, 3, 1), 2);
  assert.equal(stepAfter(2, 3, 1), 2);
  assert.equal(stepAfter(0, 3, -1), 0);
});

test('a code leads to the page of its rule, and to nothing else', () => {
  assert.equal(pageOfRule('double-free'), 'double-free.md');
  for (const code of ['../x', 'a/b', '', 7, undefined, { value: 'leak' }]) assert.equal(pageOfRule(code), undefined);
});

test('a run tells counts by line, and faults at their places', () => {
  const site = (line: number, note: string) => ({ line, column: 3, note });
  const record = {
    version: 1, verdict: 'ran @f: 1 allocation; leak', end: 'returned', contradictions: [],
    sites: [site(4, '%a allocated 1x, 64 B'), site(0, 'nowhere'), site(4, '%a allocated 1x, 64 B'), site(9, '')],
    faults: [{ text: 'leak: %a (4:3)', site: -1, allocation: 0, deallocation: -1 }, { text: 'deallocates what was not allocated', site: 1, allocation: -1, deallocation: -1 }],
  };
  const run = programRunIn(JSON.stringify(record));
  assert.deepEqual([...(run?.notes ?? [])], [[4, ['%a allocated 1x, 64 B']]]);
  assert.deepEqual(run?.faults, [
    { text: 'leak: %a (4:3)', at: { line: 4, column: 3 }, related: [{ at: { line: 4, column: 3 }, text: 'allocated here' }] },
    { text: 'deallocates what was not allocated', at: undefined, related: [] },
  ]);
  assert.equal(run?.hasRun, true);
  assert.equal(programRunIn(JSON.stringify({ ...record, end: 'notRun' }))?.hasRun, false);
  assert.equal(programRunIn(''), undefined);
  assert.equal(programRunIn('{"version":2,"sites":[]}'), undefined);
  assert.equal(noteLine(['a', 'b']), 'a · b');
  assert.equal(noteLine(['a', 'b', 'c', 'd', 'e']), 'a · b · c · 2 more');
});

test('arguments of a run are typed as on the command line', () => {
  assert.deepEqual(runArguments(' n=64  %x=8xf32:iota '), ['--arg', 'n=64', '--arg', '%x=8xf32:iota']);
  assert.deepEqual(runArguments(''), []);
  assert.equal(argumentProblem('n=64 0=4'), undefined);
  assert.match(argumentProblem('n 64') ?? '', /^'n' is not NAME=VALUE/);
});

test('a byte of a line is a character', () => {
  assert.equal(characterOf('"äö" %a', 8), 5);
  assert.equal(characterOf('%a', 1), 0);
  assert.equal(characterOf('%a', 99), 2);
});

test('a byte column of the command line is the character there', () => {
  const line = '  /* größe 𝄞 */ %a = memref.alloc()';
  const character = line.indexOf('%a');
  const bytes = Buffer.byteLength(line.slice(0, character)) + 1;
  assert.notEqual(bytes, character + 1);
  assert.equal(characterOf(line, bytes), character);
  assert.equal(columnOf(line, character), bytes);
  assert.equal(characterOf('abc', 0), 0);
  assert.equal(characterOf('abc', 99), 3);
});

test('evidence is a list of sentences, each with its remedies and facts below it', () => {
  const at = (line: number, character: number) => ({ start: { line, character }, end: { line, character: character + 2 } });
  const items = evidenceItems(
    [
      { sentence: '%a: deallocated at the end of ^bb0', evidence: [{ text: 'memref.load uses it', range: at(1, 9) }, { text: 'no place' }], remedies: [] },
      { sentence: '%b is cloned', evidence: [], remedies: ['make it private'] },
    ],
    (line) => (line === 1 ? '// größe %x' : ''),
  );
  assert.deepEqual(
    items.map((one) => [one.isSentence, one.label, one.place]),
    [
      [true, '%a: deallocated at the end of ^bb0', ''],
      [false, 'memref.load uses it', '2:12'],
      [false, 'no place', ''],
      [true, '%b is cloned', ''],
      [false, '→ make it private', ''],
    ],
  );
  assert.deepEqual(items[1]?.range, at(1, 9));
});
