// Memory beside the code: what is alive when in the function around the cursor,
// since when it is idle, and why. Of servers that answer `memrefLens/memory`.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from './client';
import { functionNameAt, isMlir } from './functionModel';
import type { FromMemoryView, ToMemoryView } from './messages';
import { method, type MemoryAnswer } from './protocol';
import { characterOf } from './textColumns';
import { memoryPageOf } from './webviewHtml';

export class MemoryView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private wanted: { document: vscode.TextDocument; name: string } | undefined;
  private isReady = false;
  private waiting: NodeJS.Timeout | undefined;
  private readonly listeners: vscode.Disposable[];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
  ) {
    this.listeners = [
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === this.wanted?.document && event.contentChanges.length) this.later();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('memrefLens')) this.later();
      }),
      server.onChange(() => server.isRunning && this.later()),
    ];
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.panel?.dispose();
    for (const one of this.listeners) one.dispose();
  }

  async show(editor: vscode.TextEditor | undefined): Promise<void> {
    if (!editor || !isMlir(editor.document)) return;
    const name = functionNameAt(editor.document, editor.selection.active.line);
    if (name === undefined) {
      void vscode.window.showInformationMessage('memref-lens: put the cursor into a function first');
      return;
    }
    if (!this.panel) this.open();
    else this.panel.reveal(undefined, true);
    this.wanted = { document: editor.document, name };
    await this.refresh();
  }

  private open(): void {
    const panel = vscode.window.createWebviewPanel('memrefLens.memory', 'Memory', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {
      enableScripts: true,
      retainContextWhenHidden: true,
      localResourceRoots: [vscode.Uri.joinPath(this.context.extensionUri, 'dist'), vscode.Uri.joinPath(this.context.extensionUri, 'media')],
    });
    const address = (folder: string, file: string) => panel.webview.asWebviewUri(vscode.Uri.joinPath(this.context.extensionUri, folder, file)).toString();
    panel.webview.html = memoryPageOf({
      nonce: randomBytes(16).toString('base64'),
      cspSource: panel.webview.cspSource,
      script: address('dist', 'memory.js'),
      style: address('media', 'memory.css'),
    });
    panel.webview.onDidReceiveMessage((message: FromMemoryView) => void this.onMessage(message));
    panel.onDidDispose(() => {
      this.panel = this.wanted = undefined;
      this.isReady = false;
    });
    this.panel = panel;
  }

  private later(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.refresh(), 250);
  }

  private async refresh(): Promise<void> {
    const { wanted, panel } = this;
    if (!panel || !wanted || !this.isReady || wanted.document.isClosed) return;
    panel.title = `Memory @${wanted.name}`;
    const answer = await this.server.ask<MemoryAnswer>(method.memory, { textDocument: { uri: wanted.document.uri.toString() }, function: wanted.name });
    if (wanted !== this.wanted || (answer && answer.version !== wanted.document.version)) return;
    const spaces = answer?.memory.functions ?? [];
    if (spaces.length) this.send({ type: 'memory', spaces });
    else this.send({ type: 'empty', text: `@${wanted.name}: what is alive is not known; the text does not parse, or the server is away` });
  }

  private send(message: ToMemoryView): void {
    void this.panel?.webview.postMessage(message);
  }

  private async onMessage(message: FromMemoryView): Promise<void> {
    if (message.type === 'ready') {
      this.isReady = true;
      await this.refresh();
      return;
    }
    const { wanted } = this;
    const [line = 0, column = 0] = message.place.split(':').map(Number);
    if (!wanted || !(line > 0) || line > wanted.document.lineCount) return;
    const at = wanted.document.validatePosition(new vscode.Position(line - 1, characterOf(wanted.document.lineAt(line - 1).text, column)));
    const shown = vscode.window.visibleTextEditors.find((one) => one.document === wanted.document);
    await vscode.window.showTextDocument(wanted.document, { selection: new vscode.Range(at, at), preserveFocus: true, ...(shown?.viewColumn ? { viewColumn: shown.viewColumn } : {}) });
  }
}
