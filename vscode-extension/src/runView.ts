// "Run Function": the function around the cursor is run as the pipeline leaves it,
// and what happened stands behind its lines: how often each buffer was allocated and
// deallocated, which conditions were true; leaks and uses after free are problems at
// their places. Gone with the next edit, for the counts are of another text then.

import * as vscode from 'vscode';
import type { CommandLine } from './commandLine';
import { functionNameAt, isMlir } from './functionModel';
import { argumentProblem, noteLine, programRunIn, runArguments, type Place, type ProgramRun, type RunFault } from './programRun';
import { characterOf } from './textColumns';

export class RunView implements vscode.Disposable {
  private readonly mark = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), fontStyle: 'italic', margin: '0 0 0 3em' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly problems = vscode.languages.createDiagnosticCollection('memref-lens run');
  private readonly listeners: vscode.Disposable[];
  private shown: { document: vscode.TextDocument; run: ProgramRun } | undefined;
  /** By document and function: what was typed last. */
  private readonly typed = new Map<string, string>();

  constructor(
    private readonly tools: CommandLine,
    private readonly log: vscode.OutputChannel,
  ) {
    this.listeners = [
      vscode.workspace.onDidChangeTextDocument((event) => event.document === this.shown?.document && event.contentChanges.length > 0 && this.clear()),
      vscode.workspace.onDidCloseTextDocument((document) => document === this.shown?.document && this.clear()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
    ];
  }

  dispose(): void {
    for (const one of [...this.listeners, this.mark, this.problems]) one.dispose();
  }

  clear(): void {
    this.shown = undefined;
    this.problems.clear();
    this.draw();
    void vscode.commands.executeCommand('setContext', 'memrefLens.hasRun', false);
  }

  async run(editor: vscode.TextEditor | undefined, asks: boolean): Promise<void> {
    if (!editor || !isMlir(editor.document)) return;
    const { document } = editor;
    const name = functionNameAt(document, editor.selection.active.line);
    if (name === undefined) {
      void vscode.window.showInformationMessage('memref-lens: put the cursor into a function first');
      return;
    }
    const key = `${document.uri.toString()} ${name}`;
    const given = asks ? await this.ask(name, this.typed.get(key) ?? '') : this.typed.get(key) ?? '';
    if (given === undefined) return;
    this.typed.set(key, given);
    const version = document.version;
    const made = await this.tools.runProgram(document, name, runArguments(given));
    if (!made || document.version !== version) return;
    const run = programRunIn(made.output);
    if (!run?.hasRun) {
      void vscode.window.showErrorMessage(`memref-lens: ${run?.verdict || made.problem.trim().split('\n')[0] || `exit status ${made.status}`}`);
      return;
    }
    this.show(document, run);
  }

  private ask(name: string, last: string): Thenable<string | undefined> {
    return vscode.window.showInputBox({
      title: `Run @${name}`,
      prompt: 'Arguments as NAME=VALUE; those that are not given are small and seeded',
      placeHolder: 'n=64 x=16x16xf32:iota',
      value: last,
      validateInput: argumentProblem,
    });
  }

  private show(document: vscode.TextDocument, run: ProgramRun): void {
    this.clear();
    this.shown = { document, run };
    this.problems.set(document.uri, run.faults.flatMap((fault) => (fault.at ? [diagnosticOf(document, fault, fault.at)] : [])));
    this.draw();
    void vscode.commands.executeCommand('setContext', 'memrefLens.hasRun', true);
    const lines = [run.verdict, ...run.faults.map((fault) => fault.text), ...run.contradictions];
    this.log.appendLine(`[run] ${document.uri.fsPath}\n${lines.map((line) => `  ${line}`).join('\n')}`);
    const isClean = run.faults.length === 0 && run.contradictions.length === 0;
    const tell = isClean ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    void tell(`memref-lens: ${run.verdict}`, 'Show log').then((choice) => choice && this.log.show());
  }

  private draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const shown = this.shown?.document === editor.document ? this.shown.run : undefined;
      editor.setDecorations(this.mark, [...(shown?.notes ?? [])].filter(([line]) => line <= editor.document.lineCount).map(([line, notes]) => ({
        range: editor.document.lineAt(line - 1).range,
        renderOptions: { after: { contentText: noteLine(notes) } },
        hoverMessage: new vscode.MarkdownString().appendText(`In the run of the program as the pipeline leaves it:\n${notes.join('\n')}`),
      })));
    }
  }
}

function rangeAt(document: vscode.TextDocument, at: Place): vscode.Range {
  const line = Math.min(at.line, document.lineCount) - 1;
  const place = new vscode.Position(line, characterOf(document.lineAt(line).text, at.column));
  return document.getWordRangeAtPosition(place, /%?[\w.$-]+/) ?? new vscode.Range(place, place);
}

function diagnosticOf(document: vscode.TextDocument, fault: RunFault, at: Place): vscode.Diagnostic {
  const made = new vscode.Diagnostic(rangeAt(document, at), fault.text, vscode.DiagnosticSeverity.Error);
  made.source = 'memref-lens run';
  made.relatedInformation = fault.related.map((one) => new vscode.DiagnosticRelatedInformation(new vscode.Location(document.uri, rangeAt(document, one.at)), one.text));
  return made;
}
