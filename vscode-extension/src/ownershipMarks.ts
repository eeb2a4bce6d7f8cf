// Marks the lines where the memref at the cursor is owned, possibly owned or
// borrowed. Off until the setting asks for it.

import * as vscode from 'vscode';
import type { Server } from './client';
import { isMlir, type FunctionModel, type FunctionModels } from './functionModel';
import { ownershipRanges, type OwnershipState } from './ownershipRanges';
import { method, type CfgAnswer, type Picture } from './protocol';

function markOf(name: string): vscode.TextEditorDecorationType {
  const border = new vscode.ThemeColor(`memrefLens.${name}Border`);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(`memrefLens.${name}Background`),
    borderStyle: name === 'possiblyOwned' ? 'dashed' : name === 'borrowed' ? 'dotted' : 'solid',
    borderWidth: '0 0 0 2px',
    borderColor: border,
    overviewRulerColor: border,
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}

export class OwnershipMarks implements vscode.Disposable {
  private readonly marks: Record<OwnershipState, vscode.TextEditorDecorationType> = {
    owned: markOf('owned'), possiblyOwned: markOf('possiblyOwned'), borrowed: markOf('borrowed'),
  };
  private readonly listeners: vscode.Disposable[];
  private waiting: NodeJS.Timeout | undefined;
  private pictureOf: { model: FunctionModel; picture: Promise<Picture | undefined> } | undefined;

  constructor(private readonly server: Server, private readonly models: FunctionModels) {
    const later = () => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => void this.update(), 150);
    };
    this.listeners = [
      vscode.window.onDidChangeTextEditorSelection(later),
      vscode.window.onDidChangeActiveTextEditor(later),
      vscode.workspace.onDidChangeTextDocument(later),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('memrefLens') && later()),
      server.onChange(later),
    ];
    later();
  }

  dispose(): void {
    clearTimeout(this.waiting);
    for (const one of [...this.listeners, ...Object.values(this.marks)]) one.dispose();
  }

  private async update(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    // Beside the graph, the marks stay as they are.
    if (!editor || !isMlir(editor.document)) return;
    const isOn = vscode.workspace.getConfiguration('memrefLens').get('ownershipRanges.enabled', false);
    const found: Record<OwnershipState, vscode.DecorationOptions[]> = { owned: [], possiblyOwned: [], borrowed: [] };
    const model = isOn ? await this.models.atCursor(editor) : undefined;
    const value = model?.index.selectionAt(editor.selection.active).value;
    const picture = model && value !== undefined ? await this.picture(model) : undefined;
    if (model && value !== undefined && picture && editor.document.version === model.version)
      for (const { state, lines, why } of ownershipRanges(picture, model.index, value))
        found[state].push({ range: new vscode.Range(lines[0], 0, lines[1], 0), hoverMessage: new vscode.MarkdownString().appendText(why) });
    for (const one of vscode.window.visibleTextEditors)
      for (const state of Object.keys(this.marks) as OwnershipState[]) one.setDecorations(this.marks[state], one === editor ? found[state] : []);
  }

  private picture(model: FunctionModel): Promise<Picture | undefined> {
    if (this.pictureOf?.model !== model) {
      const asked = { textDocument: { uri: model.document.uri.toString() }, function: model.name, format: 'data' };
      this.pictureOf = { model, picture: this.server.ask<CfgAnswer>(method.cfg, asked).then((answer) => (answer?.version === model.version ? answer.picture : undefined)) };
    }
    return this.pictureOf.picture;
  }
}
