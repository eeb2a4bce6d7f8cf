// Two trees for the function around the cursor: its stages with the decisions
// that were made in them, and its buffers with their fate.

import * as vscode from 'vscode';
import type { Server } from './client';
import { isMlir, type FunctionModel, type FunctionModels } from './functionModel';
import { labelOf, tensorCopies } from './stageUri';
import { method, type Decision, type ExplainAnswer, type StageInfo } from './protocol';

/** Buffers whose fate is asked for. */
const mostBuffers = 300;

type Node = { stage: StageInfo; count: number; refused: boolean } | { decision: Decision; at: number } | { buffer: { name: string; fate: string; line: number; character: number } };

function warning(): vscode.ThemeIcon {
  return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
}

class Tree implements vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  model: FunctionModel | undefined;
  readonly view: vscode.TreeView<Node>;

  constructor(id: string, private readonly childrenOf: (model: FunctionModel, node: Node | undefined) => Promise<Node[]>) {
    this.view = vscode.window.createTreeView(id, { treeDataProvider: this });
  }

  set(model: FunctionModel | undefined): void {
    if (model === this.model) return;
    this.model = model;
    this.changed.fire();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    return this.model ? this.childrenOf(this.model, node) : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if ('stage' in node) {
      const { stage: { number, name, changed }, count, refused } = node;
      const open = refused ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
      const item = new vscode.TreeItem(labelOf(number, name), count ? open : vscode.TreeItemCollapsibleState.None);
      item.tooltip = item.label as string;
      if (refused) {
        item.description = 'rejected here';
        item.iconPath = warning();
      } else item.description = [changed ? '' : 'no change', count ? `${count} decision${count > 1 ? 's' : ''}` : ''].filter(Boolean).join(', ');
      if (number > 0 && changed) item.command = { command: 'memrefLens.compareStages', title: 'Compare', arguments: [number - 1, number] };
      else if (number === tensorCopies) item.command = { command: 'memrefLens.compareStages', title: 'Compare', arguments: [number, 0] };
      return item;
    }
    if ('decision' in node) {
      const item = new vscode.TreeItem(node.decision.sentence);
      item.tooltip = node.decision.sentence;
      item.iconPath = node.decision.kind === 'rejection' ? warning() : new vscode.ThemeIcon('circle-small');
      item.command = { command: 'memrefLens.reveal', title: 'Reveal', arguments: [{ step: node.at }] };
      return item;
    }
    const item = new vscode.TreeItem(node.buffer.name);
    item.description = node.buffer.fate;
    item.tooltip = `${node.buffer.name}: ${node.buffer.fate}`;
    item.command = { command: 'memrefLens.reveal', title: 'Reveal', arguments: [{ line: node.buffer.line, character: node.buffer.character }] };
    return item;
  }
}

async function stageNodes(model: FunctionModel, node: Node | undefined): Promise<Node[]> {
  const decisions = await model.decisions();
  if (!node)
    return model.stages.map((stage) => {
      const own = decisions.filter((one) => one.stage === stage.number);
      return { stage, count: own.length, refused: own.some((one) => one.kind === 'rejection') };
    });
  if (!('stage' in node)) return [];
  return decisions.map((decision, at) => ({ decision, at })).filter(({ decision }) => decision.stage === node.stage.number);
}

/** The first sentence about a value is its fate; its name and place lead it. */
export function fateIn(sentence: string): string {
  return sentence.replace(/^%\S+ \([^)]*\): /, '');
}

export class Trees implements vscode.Disposable {
  private readonly stages = new Tree('memrefLens.stages', stageNodes);
  private readonly buffers: Tree;
  private readonly listeners: vscode.Disposable[];
  private waiting: NodeJS.Timeout | undefined;

  constructor(server: Server, private readonly models: FunctionModels) {
    this.buffers = new Tree('memrefLens.buffers', async (model, node) => {
      if (node) return [];
      const all = model.index.memrefs().slice(0, mostBuffers);
      return Promise.all(
        all.map(async ({ name, type, place }) => {
          const answer = await server.ask<ExplainAnswer>(method.explain, { textDocument: { uri: model.document.uri.toString() }, position: place });
          return { buffer: { name, fate: fateIn(answer?.explanations[0]?.sentence ?? type), ...place } };
        }),
      );
    });
    const update = () => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => void this.update(), 300);
    };
    this.listeners = [
      this.stages.view,
      this.buffers.view,
      this.stages.view.onDidChangeVisibility(update),
      this.buffers.view.onDidChangeVisibility(update),
      vscode.window.onDidChangeTextEditorSelection(update),
      vscode.window.onDidChangeActiveTextEditor(update),
      vscode.workspace.onDidChangeTextDocument(update),
      server.onChange(update),
    ];
    update();
  }

  dispose(): void {
    clearTimeout(this.waiting);
    for (const one of this.listeners) one.dispose();
  }

  private async update(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const visible = [this.stages, this.buffers].filter((tree) => tree.view.visible);
    // Beside the graph or a diff, the trees stay as they are.
    if (!isMlir(editor?.document) || visible.length === 0) return;
    const model = await this.models.atCursor(editor);
    for (const tree of visible) tree.set(model);
  }
}
