// The tree of causes: what the file's buffers cost, why, and what
// mends it, tested on copies of the program. Of the text as it was when it was
// opened or saved; a button looks again.

import * as vscode from 'vscode';
import type { Server } from './client';
import type { CommandLine } from './commandLine';
import { isMlir } from './functionModel';
import { overviewOf, type Entry, type Fix, type Overview } from './overview';
import { method, type CausesAnswer } from './protocol';

/** Milliseconds between two questions of how far the server is. */
const askAgain = 300;

/** Places listed below one cause. */
const mostPlaces = 200;

type Node = { head: string } | { entry: Entry; number: number } | { fix: Fix } | { advice: string } | { place: Entry['places'][number] } | { more: number };

export class Causes implements vscode.Disposable, vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Node>;
  private readonly listeners: vscode.Disposable[];
  private readonly known = new Map<string, { version: number; overview: Overview | undefined }>();
  private shown: Overview | undefined;
  private running: string | undefined;

  constructor(private readonly server: Server, private readonly tools: CommandLine, private readonly editor: () => vscode.TextEditor | undefined) {
    this.view = vscode.window.createTreeView('memrefLens.causes', { treeDataProvider: this });
    const look = () => void this.look(false);
    this.listeners = [
      this.view,
      this.view.onDidChangeVisibility(look),
      vscode.window.onDidChangeActiveTextEditor(look),
      vscode.workspace.onDidSaveTextDocument(look),
      vscode.workspace.onDidCloseTextDocument((document) => this.known.delete(document.uri.toString())),
      vscode.workspace.onDidChangeTextDocument((event) => isMlir(event.document) && this.tellAge(event.document)),
      server.onChange(look),
    ];
    look();
  }

  dispose(): void {
    for (const one of this.listeners) one.dispose();
  }

  /** Unless it is asked for, only while the tree is seen, and of a saved text. */
  async look(isAsked: boolean): Promise<void> {
    const document = this.editor()?.document;
    if (!isMlir(document) || (!isAsked && !this.view.visible)) return;
    const uri = document.uri.toString();
    const before = this.known.get(uri);
    if (this.running === uri) return;
    if (isAsked || !before || (before.version !== document.version && !document.isDirty)) {
      const { version } = document;
      this.running = uri;
      this.view.message = 'looks for causes, and tests remedies on copies of the program ...';
      try {
        this.known.set(uri, { version, overview: (isAsked ? undefined : await this.tested(document)) ?? (await this.tools.overview(document)) });
      } finally {
        this.running = undefined;
      }
    }
    // Another file may be in front by now.
    const now = this.editor()?.document;
    if (now && now.uri.toString() !== uri) return this.look(false);
    this.shown = this.known.get(uri)?.overview;
    this.view.message = this.shown ? (this.shown.entries.length === 0 ? 'no findings' : undefined) : 'this file could not be checked';
    this.tellAge(document);
    this.changed.fire();
  }

  /** What the server had tested, or is about to have; nothing where it tests
   *  nothing. */
  private async tested(document: vscode.TextDocument): Promise<Overview | undefined> {
    for (;;) {
      const answer = await this.server.ask<CausesAnswer>(method.causes, { textDocument: { uri: document.uri.toString() } });
      if (answer?.state === 'tested' && answer.isOfThisText) return overviewOf(answer.report?.files[0]);
      if (answer?.state !== 'waits' && answer?.state !== 'runs') return undefined;
      await new Promise((resolve) => setTimeout(resolve, askAgain));
    }
  }

  private tellAge(document: vscode.TextDocument): void {
    const known = this.known.get(document.uri.toString());
    this.view.description = known && known.version !== document.version ? 'of an earlier text' : '';
  }

  getChildren(node?: Node): Node[] {
    if (!this.shown) return [];
    if (!node) {
      const heads = [this.shown.tensors, this.shown.counts, this.shown.peak, this.shown.slow].filter((head): head is string => Boolean(head)).map((head) => ({ head }));
      return [...heads, ...this.shown.entries.map((entry, at) => ({ entry, number: at + 1 }))];
    }
    if (!('entry' in node)) return [];
    const { fixes, advice, places } = node.entry;
    return [
      ...fixes.map((fix) => ({ fix })),
      ...(advice ? [{ advice }] : []),
      ...places.slice(0, mostPlaces).map((place) => ({ place })),
      ...(places.length > mostPlaces ? [{ more: places.length - mostPlaces }] : []),
    ];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if ('head' in node) return labelled(node.head, 'graph');
    if ('entry' in node) {
      const { entry, number } = node;
      const item = new vscode.TreeItem(`${number}  ${entry.sentence}`, number === 1 ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed);
      item.description = entry.costs;
      item.tooltip = entry.costs ? `${entry.sentence}\n${entry.costs}` : entry.sentence;
      if (entry.line > 0) item.command = revealAt(entry.line, entry.column);
      return item;
    }
    if ('fix' in node) {
      const item = labelled(node.fix.remedy, 'lightbulb');
      item.description = node.fix.gain;
      item.tooltip = [`${node.fix.remedy}: ${node.fix.gain}`, ...node.fix.commands, ...node.fix.code].join('\n');
      if (node.fix.commands.length > 0) item.command = { command: 'memrefLens.copyFix', title: 'Copy the command', arguments: [node.fix.commands] };
      return item;
    }
    if ('advice' in node) return labelled(node.advice, 'info');
    if ('more' in node) return labelled(`and ${node.more} more; memref-lens check --all lists each`, 'ellipsis');
    const item = labelled(node.place.message, 'circle-small');
    item.description = `${node.place.line}:${node.place.column}`;
    if (node.place.line > 0) item.command = revealAt(node.place.line, node.place.column);
    return item;
  }
}

function labelled(text: string, icon: string): vscode.TreeItem {
  const item = new vscode.TreeItem(text);
  item.tooltip = text;
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}

function revealAt(line: number, column: number): vscode.Command {
  return { command: 'memrefLens.reveal', title: 'Reveal', arguments: [{ line: line - 1, character: Math.max(0, column - 1) }] };
}
