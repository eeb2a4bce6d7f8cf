// Commands that the `memref-lens` command line answers: report, export,
// lifetimes, tensors, runs, and the comparison with MLIR's own pipeline.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { namedPlugins, type Server } from './client';
import { functionNameAt, isMlir } from './functionModel';
import { overviewIn, type Overview } from './overview';
import { picturePage, reportPage } from './reportPage';
import { themeName } from './themeName';
import { pipelineArguments, settingsUnlikeUpstream, type PipelineSettings } from './pipelineArguments';
import { cliName } from './serverPath';
import { toolProblem } from './toolProblem';

interface Run {
  status: number;
  output: string;
  problem: string;
}

export class CommandLine implements vscode.Disposable {
  private folder: string | undefined;

  constructor(private readonly server: Server, private readonly editor: () => vscode.TextEditor | undefined) {}

  dispose(): void {
    if (this.folder) void rm(this.folder, { recursive: true, force: true });
  }

  async openReport(): Promise<void> {
    const document = this.document();
    if (!document) return;
    const target = path.join(await this.temporary(), `${stemOf(document)}.html`);
    if (!(await this.export(document, target, []))) return;
    const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
    if (isHere) await vscode.env.openExternal(vscode.Uri.file(target));
    else await this.showReport(target, stemOf(document));
  }

  /** A browser on another machine has no way to the file. The report's own
   *  policy allows its one script, by hash, and nothing from elsewhere. */
  private async showReport(file: string, stem: string): Promise<void> {
    const panel = vscode.window.createWebviewPanel('memrefLens.report', `Report ${stem}`, vscode.ViewColumn.Active, { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true });
    panel.webview.html = reportPage(await readFile(file, 'utf8'), themeName());
  }

  async exportFile(): Promise<void> {
    const document = this.document();
    if (!document) return;
    const named = this.functionArgument(document);
    const kind = await vscode.window.showQuickPick(exportsOf(named[1]), { title: 'Export', placeHolder: 'What to export' });
    if (!kind) return;
    const stem = kind.isPicture && named[1] ? `${named[1].replace(/[^\w.-]/g, '_')}` : stemOf(document);
    const target = await vscode.window.showSaveDialog({
      title: `Export ${kind.label}`,
      defaultUri: vscode.Uri.joinPath(document.uri, '..', `${stem}.${kind.ending}`),
      filters: { [kind.label]: [kind.ending] },
    });
    if (!target) return;
    const done = await this.export(document, target.fsPath, ['--format', kind.ending, ...(kind.isPicture ? named : []), ...kind.more]);
    if (done) vscode.window.setStatusBarMessage(`memref-lens: wrote ${target.fsPath}`, 5000);
  }

  async showLifetimes(): Promise<void> {
    await this.showPicture('lifetimes', 'Lifetimes', 'Lifetimes of the buffers');
  }

  async showTensors(): Promise<void> {
    await this.showPicture('tensors', 'Tensors', 'Tensors and their buffers');
  }

  /** The picture of the function at the cursor, beside its text. */
  private async showPicture(view: string, word: string, alternative: string): Promise<void> {
    const document = this.document();
    if (!document) return;
    const target = path.join(await this.temporary(), `${view}.svg`);
    const named = this.functionArgument(document);
    const bufferizes = this.pipeline().some((word) => word.startsWith('--bufferize') || word.includes('one-shot-bufferize'));
    const first = view === 'tensors' && !bufferizes ? ['--bufferize'] : [];
    const more = [...first, '--view', view, '--theme', themeName(), ...named];
    if (!(await this.export(document, target, more))) return;
    const picture = Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.file(target))).toString('base64');
    const title = `${word} @${named[1] ?? stemOf(document)}`;
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(`memrefLens.${view}`, title, where, {});
    panel.webview.html = picturePage(alternative, picture);
  }

  async compareUpstream(): Promise<void> {
    const document = this.document();
    if (!document) return;
    const unlike = settingsUnlikeUpstream(this.settings());
    if (unlike.length > 0) {
      void vscode.window.showInformationMessage(`memref-lens: with ${unlike.map((name) => `memrefLens.${name}`).join(' and ')} set, the pipeline is not MLIR's own; there is nothing to compare it with`);
      return;
    }
    const run = await this.run(document, (file) => ['compare', ...this.pipeline(), file]);
    if (!run) return;
    this.server.log.appendLine(`[compare] ${document.uri.fsPath}\n${run.output}${run.problem}`);
    if (run.status === 0) {
      void vscode.window.showInformationMessage('memref-lens: every stage is equal to MLIR\'s own');
      return;
    }
    const choice = await vscode.window.showWarningMessage('memref-lens: the comparison with MLIR found a difference, or could not be made', 'Show log');
    if (choice) this.server.log.show();
  }

  /** What the file costs, why, and what mends it. Nothing, without a
   *  word, if the program is away or the file cannot be read. */
  async overview(document: vscode.TextDocument): Promise<Overview | undefined> {
    const program = this.program();
    if (!program) return undefined;
    const run = await this.runOn(document, program, (file) => ['--format=json', ...this.pipeline(), '--', file], vscode.ProgressLocation.Window);
    return overviewIn(run.output);
  }

  /** Runs a function of the program; `given` are options of `memref-lens run`. */
  async runProgram(document: vscode.TextDocument, name: string, given: string[]): Promise<Run | undefined> {
    return this.run(document, (file) => ['run', '--format=json', `--entry=@${name}`, ...given, ...this.pipeline(), '--', file], vscode.ProgressLocation.Notification);
  }

  private program(): string | undefined {
    return this.server.tool(cliName, vscode.workspace.getConfiguration('memrefLens').get('cliPath', ''));
  }

  private document(): vscode.TextDocument | undefined {
    const document = this.editor()?.document;
    if (isMlir(document)) return document;
    void vscode.window.showInformationMessage('memref-lens: open an MLIR file first');
    return undefined;
  }

  private functionArgument(document: vscode.TextDocument): string[] {
    const line = this.editor()?.selection.active.line ?? 0;
    const name = functionNameAt(document, line);
    return name === undefined ? [] : ['--function', name];
  }

  private settings(): PipelineSettings {
    return vscode.workspace.getConfiguration('memrefLens').get<PipelineSettings>('pipeline', {});
  }

  private pipeline(): string[] {
    return [...namedPlugins(), ...pipelineArguments(this.settings())];
  }

  private async export(document: vscode.TextDocument, target: string, more: string[]): Promise<boolean> {
    const run = await this.run(document, (file) => ['export', ...this.pipeline(), ...more, file, '-o', target]);
    if (!run) return false;
    if (run.status !== 0) void vscode.window.showErrorMessage(`memref-lens: ${run.problem.trim().split('\n')[0] || `exit status ${run.status}`}`);
    return run.status === 0;
  }

  private async temporary(): Promise<string> {
    this.folder ??= await mkdtemp(path.join(tmpdir(), 'memref-lens-'));
    return this.folder;
  }

  /** On the text in the editor, saved or not. */
  private async run(document: vscode.TextDocument, argumentsFor: (file: string) => string[], location = vscode.ProgressLocation.Window): Promise<Run | undefined> {
    const program = this.program();
    if (!program) {
      await toolProblem(cliName, 'cliPath', vscode.workspace.getConfiguration('memrefLens').get('cliPath', ''));
      return undefined;
    }
    return this.runOn(document, program, argumentsFor, location);
  }

  private async runOn(document: vscode.TextDocument, program: string, argumentsFor: (file: string) => string[], location: vscode.ProgressLocation): Promise<Run> {
    let file = document.uri.fsPath;
    if (document.isDirty || document.isUntitled) {
      file = path.join(await this.temporary(), `${stemOf(document)}.mlir`);
      await writeFile(file, document.getText());
    }
    const cancellable = location === vscode.ProgressLocation.Notification;
    return vscode.window.withProgress({ location, title: 'memref-lens', cancellable }, (_, token) => execute(program, argumentsFor(file), token));
  }
}

interface ExportKind extends vscode.QuickPickItem {
  ending: string;
  isPicture: boolean;
  more: string[];
}

function exportsOf(name: string | undefined): ExportKind[] {
  const of = name === undefined ? 'the function' : `@${name}`;
  const made = (ending: string, label: string, isPicture: boolean, more: string[] = []): ExportKind => ({ label, description: `.${ending}`, ending, isPicture, more });
  return [
    made('svg', `Graph of ${of}`, true),
    made('png', `Graph of ${of}`, true),
    made('dot', `Graph of ${of}, for Graphviz`, true),
    made('svg', `Lifetimes of the buffers of ${of}`, true, ['--view', 'lifetimes']),
    made('svg', `Tensors of ${of} and their buffers`, true, ['--view', 'tensors']),
    made('html', 'Report of the file', false),
    made('md', 'Summary of the file', false),
    made('json', 'Graphs of the file as data', false),
  ];
}

function stemOf(document: vscode.TextDocument): string {
  return path.basename(document.uri.path).replace(/\.mlir$/, '') || 'untitled';
}

function execute(program: string, given: string[], token: vscode.CancellationToken): Promise<Run> {
  return new Promise((done) => {
    const child = execFile(program, given, { timeout: 120000, maxBuffer: 1 << 28 }, (error, output, problem) => {
      const status = error ? (typeof error.code === 'number' ? error.code : 70) : 0;
      done({ status, output, problem: token.isCancellationRequested ? 'cancelled' : problem });
    });
    token.onCancellationRequested(() => child.kill());
    child.stdin?.end();
  });
}
