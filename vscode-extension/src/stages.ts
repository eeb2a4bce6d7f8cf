// Two stages of a function in VS Code's own diff editor, and the way from one
// changing stage to the next.

import * as vscode from 'vscode';
import type { Server } from './client';
import type { FunctionModels } from './functionModel';
import { method, type StageInfo, type StagesAnswer, type StageTextAnswer } from './protocol';
import { addressOf, changeNear, labelOf, pathOf, queryOf, scheme, type StageAddress } from './stageUri';

export class Stages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly listeners: vscode.Disposable[];
  private waiting: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server, private readonly models: FunctionModels) {
    this.listeners = [
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidChangeTextDocument((event) => event.contentChanges.length && this.later(event.document.uri.toString())),
    ];
  }

  dispose(): void {
    clearTimeout(this.waiting);
    for (const one of this.listeners) one.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = addressOf(uri.query);
    if (!address) return '';
    // The server answers about open documents.
    await vscode.workspace.openTextDocument(vscode.Uri.parse(address.uri));
    const answer = await this.server.ask<StageTextAnswer>(method.stageText, {
      textDocument: { uri: address.uri }, function: address.function, stage: address.stage,
    });
    if (!answer) return '// There is no such stage: the function does not parse, or the server is away.\n';
    const stopped = answer.lastStage < address.stage ? `// @${address.function} was rejected; this is the program after stage ${answer.lastStage}.\n` : '';
    return stopped + answer.text;
  }

  /** Asks which stages, unless they are given. */
  async compare(editor: vscode.TextEditor | undefined, from?: number, to?: number): Promise<void> {
    const model = await this.models.atCursor(editor);
    if (!model) {
      void vscode.window.showInformationMessage('memref-lens: put the cursor into a function first');
      return;
    }
    const first = from ?? (await pick(model.stages, 'Compare from stage', 0));
    if (first === undefined) return;
    const second = to ?? (await pick(model.stages, 'Compare to stage', model.stages.at(-1)?.number ?? 8));
    if (second !== undefined) await this.open(model.document.uri.toString(), model.name, model.stages, first, second);
  }

  /** From the comparison on screen to that of the next changing stage. */
  async move(direction: 1 | -1): Promise<void> {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const address = input instanceof vscode.TabInputTextDiff ? addressOf(input.modified.query) : undefined;
    if (!address) return;
    const answer = await this.server.ask<StagesAnswer>(method.stages, { textDocument: { uri: address.uri }, function: address.function });
    const stages = answer?.stages ?? [];
    const next = changeNear(stages, address.stage, direction);
    if (next === undefined) {
      vscode.window.setStatusBarMessage(`memref-lens: no ${direction > 0 ? 'later' : 'earlier'} stage changes @${address.function}`, 4000);
      return;
    }
    await this.open(address.uri, address.function, stages, next - 1, next);
  }

  async open(uri: string, name: string, stages: readonly StageInfo[], from: number, to: number): Promise<void> {
    const make = (stage: number): [vscode.Uri, string] => {
      const title = stages.find((one) => one.number === stage)?.name ?? `stage ${stage}`;
      const address: StageAddress = { uri, function: name, stage, name: title };
      return [vscode.Uri.from({ scheme, path: pathOf(address), query: queryOf(address) }), labelOf(stage, title)];
    };
    const [left, leftTitle] = make(from);
    const [right, rightTitle] = make(to);
    await vscode.commands.executeCommand('vscode.diff', left, right, `@${name}: ${leftTitle} ↔ ${rightTitle}`, { preview: true });
  }

  private later(uri: string): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      for (const document of vscode.workspace.textDocuments)
        if (document.uri.scheme === scheme && addressOf(document.uri.query)?.uri === uri) this.changed.fire(document.uri);
    }, 500);
  }
}

async function pick(stages: readonly StageInfo[], title: string, active: number): Promise<number | undefined> {
  const items = stages.map((one) => ({ label: labelOf(one.number, one.name), description: one.changed ? '' : 'no change', number: one.number }));
  // The one offered first is the one that Enter takes.
  items.sort((a, b) => Number(b.number === active) - Number(a.number === active) || a.number - b.number);
  return (await vscode.window.showQuickPick(items, { title, placeHolder: title }))?.number;
}
