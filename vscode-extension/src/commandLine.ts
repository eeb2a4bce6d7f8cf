// Commands that the `memref-lens` command line answers: report, export,
// lifetimes, and the comparison with MLIR's own pipeline.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { world, type Server } from './client';
import { functionNameAt, isMlir } from './functionModel';
import { pipelineArguments, type PipelineSettings } from './pipelineArguments';
import { findCli } from './serverPath';

interface Run {
  status: number;
  output: string;
  problem: string;
}

export class CommandLine implements vscode.Disposable {
  private folder: string | undefined;

  constructor(private readonly server: Server) {}

  dispose(): void {
    if (this.folder) void rm(this.folder, { recursive: true, force: true });
  }

  async openReport(): Promise<void> {
    const document = this.document();
    if (!document) return;
    const target = path.join(await this.temporary(), `${stemOf(document)}.html`);
    if (await this.export(document, target, [])) await vscode.env.openExternal(vscode.Uri.file(target));
  }

  async exportFile(): Promise<void> {
    const document = this.document();
    if (!document) return;
    const target = await vscode.window.showSaveDialog({
      title: 'Export: the ending says what',
      defaultUri: vscode.Uri.joinPath(document.uri, '..', `${stemOf(document)}.svg`),
      filters: { 'Picture of the function': ['svg', 'png', 'dot'], 'Report of the file': ['html', 'md'], 'Graphs as data': ['json'] },
    });
    if (!target) return;
    const isPicture = /\.(svg|png|dot)$/.test(target.path);
    const done = await this.export(document, target.fsPath, isPicture ? this.functionArgument(document) : []);
    if (done) vscode.window.setStatusBarMessage(`memref-lens: wrote ${target.fsPath}`, 5000);
  }

  async showLifetimes(): Promise<void> {
    const document = this.document();
    if (!document) return;
    const target = path.join(await this.temporary(), 'lifetimes.svg');
    const dark = vscode.window.activeColorTheme.kind === vscode.ColorThemeKind.Dark || vscode.window.activeColorTheme.kind === vscode.ColorThemeKind.HighContrast;
    const more = ['--view', 'lifetimes', '--theme', dark ? 'dark' : 'light', ...this.functionArgument(document)];
    if (!(await this.export(document, target, more))) return;
    const picture = Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.file(target))).toString('base64');
    const panel = vscode.window.createWebviewPanel('memrefLens.lifetimes', 'Lifetimes', vscode.ViewColumn.Beside, {});
    // An image runs nothing and fetches nothing.
    panel.webview.html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:"><title>Lifetimes</title></head><body><img alt="Lifetimes of the buffers" src="data:image/svg+xml;base64,${picture}"></body></html>`;
  }

  async compareUpstream(): Promise<void> {
    const document = this.document();
    if (!document) return;
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

  private document(): vscode.TextDocument | undefined {
    const document = vscode.window.activeTextEditor?.document;
    return isMlir(document) ? document : undefined;
  }

  private functionArgument(document: vscode.TextDocument): string[] {
    const line = vscode.window.activeTextEditor?.selection.active.line ?? 0;
    const name = functionNameAt(document, line);
    return name === undefined ? [] : ['--function', name];
  }

  private pipeline(): string[] {
    return pipelineArguments(vscode.workspace.getConfiguration('memrefLens').get<PipelineSettings>('pipeline', {}));
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
  private async run(document: vscode.TextDocument, argumentsFor: (file: string) => string[]): Promise<Run | undefined> {
    const setting = vscode.workspace.getConfiguration('memrefLens').get('cliPath', '');
    const program = findCli(setting, this.server.file, process.env['PATH'] ?? '', world);
    if (!program) {
      const choice = await vscode.window.showErrorMessage('memref-lens: the command line was not found beside the server, nor on PATH', 'Open Setting');
      if (choice) await vscode.commands.executeCommand('workbench.action.openSettings', 'memrefLens.cliPath');
      return undefined;
    }
    let file = document.uri.fsPath;
    if (document.isDirty || document.isUntitled) {
      file = path.join(await this.temporary(), `${stemOf(document)}.mlir`);
      await writeFile(file, document.getText());
    }
    return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: 'memref-lens' }, () => execute(program, argumentsFor(file)));
  }
}

function stemOf(document: vscode.TextDocument): string {
  return path.basename(document.uri.path).replace(/\.mlir$/, '') || 'untitled';
}

function execute(program: string, given: string[]): Promise<Run> {
  return new Promise((done) => {
    const child = execFile(program, given, { timeout: 120000, maxBuffer: 1 << 28 }, (error, output, problem) => {
      const status = error ? (typeof error.code === 'number' ? error.code : 70) : 0;
      done({ status, output, problem });
    });
    child.stdin?.end();
  });
}
