// The status bar item: what the server is at with the file on screen. A click
// opens the log.

import * as vscode from 'vscode';
import type { Server } from './client';
import { method, type StatusAnswer } from './protocol';

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('memrefLens.status', vscode.StatusBarAlignment.Right, 90);
  private readonly pending = new Set<string>();
  private asking: NodeJS.Timeout | undefined;
  private readonly listeners: vscode.Disposable[];

  constructor(private readonly server: Server) {
    this.item.name = 'memref-lens';
    this.item.command = 'memrefLens.showLog';
    const wait = (document: vscode.TextDocument) => {
      if (document.languageId !== 'mlir' || document.uri.scheme === 'memref-lens') return;
      this.pending.add(document.uri.toString());
      this.show();
      this.askLater();
    };
    this.listeners = [
      server.onChange(() => {
        // What a dead server was asked is not awaited any more.
        this.pending.clear();
        // Nor is the answer of one that was asked: it may never come.
        clearTimeout(this.asking);
        this.asking = undefined;
        this.show();
      }),
      server.onDiagnostics((uri) => {
        this.pending.delete(uri);
        this.show();
      }),
      vscode.workspace.onDidChangeTextDocument((event) => {
        const waits = vscode.workspace.getConfiguration('memrefLens').get('analyse') !== 'save';
        if (waits && event.contentChanges.length) wait(event.document);
      }),
      vscode.workspace.onDidOpenTextDocument(wait),
      vscode.languages.onDidChangeDiagnostics(() => this.show()),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
    ];
    this.show();
  }

  /** Diagnostics that are as before may not be sent again. */
  private askLater(): void {
    this.asking ??= setTimeout(() => void this.askNow(), 2000);
  }

  private async askNow(): Promise<void> {
    const mine = this.asking;
    const answer = await this.server.ask<StatusAnswer>(method.status, { analysis: true });
    // The server was started again meanwhile.
    if (mine !== this.asking) return;
    for (const { uri, version, reported } of answer?.analysisDocuments ?? []) {
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === vscode.Uri.parse(uri).toString());
      if (reported && document?.version === version) this.pending.delete(document.uri.toString());
    }
    this.show();
    this.asking = undefined;
    if (this.pending.size && this.server.isRunning) this.askLater();
  }

  dispose(): void {
    clearTimeout(this.asking);
    for (const one of [this.item, ...this.listeners]) one.dispose();
  }

  private show(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document && document.languageId !== 'mlir') {
      this.item.hide();
      return;
    }
    const [icon, text, isWarning] = this.words(document);
    this.item.text = `$(${icon}) memref-lens: ${text}`;
    const isOff = document && this.server.isOff(document.uri);
    this.item.tooltip = `${this.server.file || 'There is no server'}\n${isOff ? 'Restart Server turns the analysis of this file on again\n' : ''}Click for the log`;
    this.item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.show();
  }

  private words(document: vscode.TextDocument | undefined): [string, string, boolean] {
    if (this.server.state === 'stopped') return ['circle-slash', 'off', true];
    if (this.server.state === 'starting') return ['loading~spin', 'starting', false];
    if (document && this.server.isOff(document.uri)) return ['circle-slash', 'off for this file', false];
    const restarted = this.server.state === 'restarted' ? ', server restarted' : '';
    if (document && this.pending.has(document.uri.toString())) return ['loading~spin', `analysing${restarted}`, false];
    const all = document ? vscode.languages.getDiagnostics(document.uri) : [];
    // A finding has a rule; what does not parse has none.
    const isFinding = (one: vscode.Diagnostic) => one.source === 'memref-lens' && !!one.code;
    if (all.some((one) => one.severity === vscode.DiagnosticSeverity.Error && !isFinding(one))) return ['warning', `stale (syntax error)${restarted}`, false];
    const count = all.filter((one) => one.source === 'memref-lens').length;
    if (count) return ['info', `${count} finding${count > 1 ? 's' : ''}${restarted}`, false];
    return ['check', `ready${restarted}`, false];
  }
}
