// Findings of the server: each code leads to its rule's page, and the path of the
// finding at the cursor is walked step by step.

import * as vscode from 'vscode';
import { pageOfRule, stepAfter, stepsOf } from './findingPath';

const source = 'memref-lens';

/** Links codes without a link to the pages that come with the extension. */
export function linkRules(diagnostics: readonly vscode.Diagnostic[], pages: vscode.Uri): void {
  for (const one of diagnostics) {
    const page = pageOfRule(one.code);
    if (one.source === source && page) one.code = { value: String(one.code), target: vscode.Uri.joinPath(pages, page) };
  }
}

export class PathWalk implements vscode.Disposable {
  private readonly mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.findMatchHighlightBackground'),
    border: '1px solid',
    borderColor: new vscode.ThemeColor('focusBorder'),
  });
  private steps: vscode.DiagnosticRelatedInformation[] = [];
  private at = -1;
  private readonly listener = vscode.languages.onDidChangeDiagnostics(() => this.clear());

  dispose(): void {
    this.mark.dispose();
    this.listener.dispose();
  }

  async step(delta: number): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || editor.document.languageId !== 'mlir') return;
    // The cursor is where the walk left it, or somebody looks elsewhere.
    const here = this.steps[this.at]?.location;
    const goesOn = here?.uri.toString() === editor.document.uri.toString() && here.range.start.isEqual(editor.selection.active);
    if (!goesOn) this.start(editor);
    if (this.steps.length === 0) {
      vscode.window.setStatusBarMessage('memref-lens: no finding with a path here', 4000);
      return;
    }
    this.at = stepAfter(this.at, this.steps.length, delta);
    const step = this.steps[this.at];
    if (step) await this.show(step);
  }

  private start(editor: vscode.TextEditor): void {
    const at = editor.selection.active;
    const all = vscode.languages.getDiagnostics(editor.document.uri).filter((one) => one.source === source && stepsOf(one.relatedInformation).length);
    const found = all.find((one) => one.range.contains(at)) ?? all.find((one) => one.range.start.line === at.line);
    this.steps = stepsOf(found?.relatedInformation);
    this.at = -1;
  }

  private clear(): void {
    this.steps = [];
    this.at = -1;
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.mark, []);
  }

  private async show(step: vscode.DiagnosticRelatedInformation): Promise<void> {
    const { uri, range } = step.location;
    const shown = vscode.window.activeTextEditor;
    const column = shown?.viewColumn;
    const editor = await vscode.window.showTextDocument(uri, { selection: new vscode.Range(range.start, range.start), ...(column ? { viewColumn: column } : {}) });
    editor.setDecorations(this.mark, [range]);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    vscode.window.setStatusBarMessage(step.message, 15000);
  }
}
