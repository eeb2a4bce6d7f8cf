// All that the views show of one function: its trace, its stages, and its
// decisions in the order in which they were made. Asked for once a version.

import * as vscode from 'vscode';
import type { Server } from './client';
import { method, type Decision, type EventsAnswer, type StageInfo, type TraceAnswer } from './protocol';
import { functionAt, TraceIndex } from './traceIndex';

export interface FunctionModel {
  document: vscode.TextDocument;
  version: number;
  name: string;
  index: TraceIndex;
  stages: StageInfo[];
  /** In the order in which they were made. Asked for when first wanted. */
  decisions: () => Promise<Decision[]>;
}

export const mlirScheme = new Set(['file', 'untitled']);

export function isMlir(document: vscode.TextDocument | undefined): document is vscode.TextDocument {
  return !!document && document.languageId === 'mlir' && mlirScheme.has(document.uri.scheme);
}

export function functionNameAt(document: vscode.TextDocument, line: number): string | undefined {
  const lines: string[] = [];
  for (let at = 0; at <= Math.min(line, document.lineCount - 1); ++at) lines.push(document.lineAt(at).text);
  return functionAt(lines, line);
}

export class FunctionModels {
  private last: Promise<FunctionModel | undefined> | undefined;
  private lastKey = '';

  constructor(private readonly server: Server) {
    server.onChange(() => (this.lastKey = ''));
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('memrefLens')) this.lastKey = '';
    });
  }

  get(document: vscode.TextDocument, name: string): Promise<FunctionModel | undefined> {
    const key = `${document.uri.toString()} ${document.version} ${name}`;
    if (key === this.lastKey && this.last) return this.last;
    this.lastKey = key;
    this.last = this.load(document, name).then((model) => {
      if (!model && this.lastKey === key) this.lastKey = '';
      return model;
    });
    return this.last;
  }

  /** The function around the cursor. */
  async atCursor(editor: vscode.TextEditor | undefined): Promise<FunctionModel | undefined> {
    if (!editor || !isMlir(editor.document)) return undefined;
    const name = functionNameAt(editor.document, editor.selection.active.line);
    return name === undefined ? undefined : this.get(editor.document, name);
  }

  private async load(document: vscode.TextDocument, name: string): Promise<FunctionModel | undefined> {
    const version = document.version;
    const asked = { textDocument: { uri: document.uri.toString() }, function: name };
    const traced = await this.server.ask<TraceAnswer>(method.trace, asked);
    if (!traced || traced.version !== version) return undefined;
    const index = new TraceIndex(traced.trace, name);
    if (!index.function) return undefined;
    let decisions: Promise<Decision[]> | undefined;
    return { document, version, name, index, stages: index.stages(), decisions: () => (decisions ??= this.decisionsOf(document, name)) };
  }

  private async decisionsOf(document: vscode.TextDocument, name: string): Promise<Decision[]> {
    const answer = await this.server.ask<EventsAnswer>(method.events, { textDocument: { uri: document.uri.toString() }, function: name });
    return (answer?.events ?? []).filter((one) => one.sentence);
  }
}
