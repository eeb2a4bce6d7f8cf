// Steps through the decisions of a function in the order in which the pipeline
// made them: each is marked in the code and in the graph, with its sentence.

import * as vscode from 'vscode';
import type { FunctionModel, FunctionModels } from './functionModel';
import type { Decision } from './protocol';

export interface Step {
  model: FunctionModel;
  at: number;
  of: number;
  decision: Decision;
}

export class Stepper implements vscode.Disposable {
  private readonly stepped = new vscode.EventEmitter<Step>();
  readonly onStep = this.stepped.event;
  /** Where the graph's panel has the focus, its document's editor. */
  fallback: (() => vscode.TextEditor | undefined) | undefined;
  private key = '';
  private at = -1;
  private readonly mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.findMatchHighlightBackground'),
    border: '1px solid',
    borderColor: new vscode.ThemeColor('focusBorder'),
  });

  constructor(private readonly models: FunctionModels) {}

  dispose(): void {
    this.mark.dispose();
  }

  clear(): void {
    this.at = -1;
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.mark, []);
  }

  async step(delta: number): Promise<void> {
    const active = vscode.window.activeTextEditor;
    const editor = active?.document.languageId === 'mlir' ? active : this.fallback?.();
    const model = await this.models.atCursor(editor);
    const decisions = (await model?.decisions()) ?? [];
    if (!editor || !model || decisions.length === 0) {
      vscode.window.setStatusBarMessage('memref-lens: no decisions to step through here', 4000);
      return;
    }
    const key = `${model.document.uri.toString()} ${model.version} ${model.name}`;
    if (key !== this.key) this.at = -1;
    this.key = key;
    const last = decisions.length - 1;
    this.at = this.at < 0 ? (delta > 0 ? 0 : last) : Math.min(last, Math.max(0, this.at + delta));
    this.show(editor, model, decisions);
  }

  async goTo(editor: vscode.TextEditor, model: FunctionModel, at: number): Promise<void> {
    this.key = `${model.document.uri.toString()} ${model.version} ${model.name}`;
    this.at = at;
    this.show(editor, model, await model.decisions());
  }

  private show(editor: vscode.TextEditor, model: FunctionModel, decisions: readonly Decision[]): void {
    const decision = decisions[this.at];
    if (!decision) return;
    const { range } = decision;
    const marked = range && new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
    editor.setDecorations(this.mark, marked ? [{ range: marked, hoverMessage: new vscode.MarkdownString().appendText(decision.sentence) }] : []);
    if (marked) editor.revealRange(marked, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    vscode.window.setStatusBarMessage(`${this.at + 1}/${decisions.length} ${decision.sentence}`, 15000);
    this.stepped.fire({ model, at: this.at, of: decisions.length, decision });
  }
}
