// The CFG beside the code: the server's picture of the function around the
// cursor. What is selected there and here is the same thing.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from './client';
import { functionNameAt, isMlir, type FunctionModel, type FunctionModels } from './functionModel';
import type { FromView, ToView } from './messages';
import { ownershipRows } from './ownershipTable';
import { method, type CfgAnswer, type ExplainAnswer } from './protocol';
import { labelOf } from './stageUri';
import type { Stepper } from './stepper';
import type { Selection, Span } from './traceIndex';
import { themeName } from './themeName';
import { pageOf } from './webviewHtml';

export const viewType = 'memrefLens.cfg';

function toRange(span: Span): vscode.Range {
  return new vscode.Range(span.start.line, span.start.character, span.end.line, span.end.character);
}

export class CfgView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private model: FunctionModel | undefined;
  /** What is to be shown once the server knows it. */
  private wanted: { document: vscode.TextDocument; name: string } | undefined;
  private stage = -1;
  private isReady = false;
  private isEmpty = false;
  private waiting: NodeJS.Timeout | undefined;
  private readonly listeners: vscode.Disposable[];
  /** Own moves of the cursor do not come back as selections. */
  private isMoving = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly models: FunctionModels,
    private readonly stepper: Stepper,
  ) {
    this.listeners = [
      vscode.window.onDidChangeTextEditorSelection((event) => this.onCursor(event.textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.onCursor(editor)),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === this.wanted?.document && event.contentChanges.length) this.later(() => this.refresh());
      }),
      vscode.window.onDidChangeActiveColorTheme(() => void this.draw(true)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('memrefLens')) this.later(() => this.refresh());
      }),
      server.onChange(() => server.isRunning && this.later(() => this.refresh())),
      stepper.onStep(({ model, at, of, decision }) => {
        if (!this.panel) return;
        const selection = decision.range ? model.index.selectionAt(decision.range.start) : {};
        const send = () => this.send({ type: 'step', at, of, event: decision.event, sentence: decision.sentence, selection });
        if (model === this.model) send();
        else void this.setModel(model).then(send);
      }),
    ];
    stepper.fallback = () => this.editor();
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.panel?.dispose();
    for (const one of this.listeners) one.dispose();
  }

  async show(editor: vscode.TextEditor | undefined, name?: string): Promise<void> {
    if (!editor || !isMlir(editor.document)) return;
    const wanted = name ?? functionNameAt(editor.document, editor.selection.active.line);
    if (wanted === undefined) {
      void vscode.window.showInformationMessage('memref-lens: put the cursor into a function first');
      return;
    }
    if (!this.panel) this.open();
    else this.panel.reveal(undefined, true);
    this.wanted = { document: editor.document, name: wanted };
    await this.setModel(await this.models.get(editor.document, wanted));
    this.onCursor(editor);
  }

  private open(): void {
    const panel = vscode.window.createWebviewPanel(viewType, 'CFG', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {
      enableScripts: true,
      retainContextWhenHidden: true,
      localResourceRoots: [vscode.Uri.joinPath(this.context.extensionUri, 'dist'), vscode.Uri.joinPath(this.context.extensionUri, 'media')],
    });
    const address = (folder: string, file: string) => panel.webview.asWebviewUri(vscode.Uri.joinPath(this.context.extensionUri, folder, file)).toString();
    panel.webview.html = pageOf({
      nonce: randomBytes(16).toString('base64'),
      cspSource: panel.webview.cspSource,
      script: address('dist', 'webview.js'),
      style: address('media', 'cfg.css'),
    });
    panel.webview.onDidReceiveMessage((message: FromView) => void this.onMessage(message));
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.model = this.wanted = undefined;
      this.isReady = false;
    });
    this.panel = panel;
    this.stage = -1;
  }

  private async setModel(model: FunctionModel | undefined): Promise<void> {
    if (!this.panel) return;
    const isSame = !!model && model.name === this.model?.name && model.document === this.model?.document;
    this.model = model;
    if (!model) {
      this.isEmpty = true;
      this.tellEmpty();
      return;
    }
    this.isEmpty = false;
    this.wanted = { document: model.document, name: model.name };
    this.panel.title = `CFG @${model.name}`;
    await this.draw(isSame);
  }

  private async draw(keepsView: boolean): Promise<void> {
    const { model, stage } = this;
    if (!model || !this.panel || !this.isReady) return;
    const asked = { textDocument: { uri: model.document.uri.toString() }, function: model.name };
    const [answer, data] = await Promise.all([
      this.server.ask<CfgAnswer>(method.cfg, { ...asked, theme: themeName(), ...(stage !== -1 ? { stage } : {}) }),
      this.server.ask<CfgAnswer>(method.cfg, { ...asked, format: 'data' }),
    ]);
    if (model !== this.model || stage !== this.stage) return;
    if (answer && answer.version !== model.version) return;
    const stages = [{ number: -1, label: 'as written, with decisions' }];
    for (const one of model.stages) stages.push({ number: one.number, label: `${labelOf(one.number, one.name)}${one.changed ? '' : ' (no change)'}` });
    this.send({
      type: 'show', title: `@${model.name}`, svg: answer?.svg ?? '', note: answer?.note ?? 'the server gave no picture',
      stage, stages, rows: data?.picture ? ownershipRows(data.picture, model.index.trace) : [], keepsView,
    });
  }

  private tellEmpty(): void {
    this.send({ type: 'empty', text: `@${this.wanted?.name ?? ''} has no graph: it does not parse, or the server is away.` });
  }

  private send(message: ToView): void {
    void this.panel?.webview.postMessage(message);
  }

  private later(run: () => unknown): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(run, 250);
  }

  private async refresh(): Promise<void> {
    const { wanted } = this;
    if (!this.panel || !wanted || wanted.document.isClosed) return;
    const fresh = await this.models.get(wanted.document, wanted.name);
    // A text that does not parse for a moment leaves the last good picture.
    if (fresh) await this.setModel(fresh);
  }

  private editor(): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find((one) => one.document === this.model?.document);
  }

  private onCursor(editor: vscode.TextEditor): void {
    if (!this.panel || !isMlir(editor.document) || this.isMoving) return;
    this.later(async () => {
      const place = editor.selection.active;
      const name = functionNameAt(editor.document, place.line);
      if (name !== undefined && (name !== this.model?.name || editor.document !== this.model.document)) {
        const model = await this.models.get(editor.document, name);
        if (model) await this.setModel(model);
      }
      if (!this.model || name !== this.model.name) return;
      await this.select(this.model.index.selectionAt(place), place);
    });
  }

  private async select(selection: Selection, place: vscode.Position | undefined, first = ''): Promise<void> {
    const why = first ? [first] : [];
    if (place && this.model) {
      const answer = await this.server.ask<ExplainAnswer>(method.explain, {
        textDocument: { uri: this.model.document.uri.toString() },
        position: { line: place.line, character: place.character },
      });
      for (const one of answer?.explanations ?? [])
        for (const text of [one.sentence, ...one.evidence.map((fact) => `    ${fact.text}`), ...one.remedies.map((remedy) => `    remedy: ${remedy}`)])
          if (!why.includes(text)) why.push(text);
    }
    this.send({ type: 'select', selection, why });
  }

  private async onMessage(message: FromView): Promise<void> {
    if (message.type === 'ready') {
      this.isReady = true;
      if (this.model) await this.draw(false);
      else if (this.isEmpty) this.tellEmpty();
    } else if (message.type === 'stage') {
      this.stage = message.stage;
      await this.draw(false);
    } else if (message.type === 'step') await this.stepper.step(message.delta);
    else if (message.type === 'export') await this.save(message.format, message.data);
    else await this.onPick(message.selection, message.why);
  }

  private async onPick(selection: Selection, why: string): Promise<void> {
    const { model } = this;
    if (!model) return;
    // Values that passes made have no place; their block has.
    const span = model.index.spanOfSelection(selection);
    if (span) {
      const shown = this.editor();
      const options = { selection: toRange(span), preserveFocus: true, ...(shown?.viewColumn ? { viewColumn: shown.viewColumn } : {}) };
      this.isMoving = true;
      await vscode.window.showTextDocument(model.document, options);
      setTimeout(() => (this.isMoving = false), 100);
    }
    await this.select(selection, span && new vscode.Position(span.start.line, span.start.character), why);
  }

  private async save(format: 'svg' | 'png', data: string): Promise<void> {
    const folder = vscode.Uri.joinPath(this.model?.document.uri ?? vscode.Uri.file('/'), '..');
    const target = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.joinPath(folder, `${this.model?.name.replace(/[^\w.-]/g, '_') ?? 'cfg'}.${format}`),
      filters: { [format.toUpperCase()]: [format] },
    });
    if (target) await vscode.workspace.fs.writeFile(target, Buffer.from(data, format === 'png' ? 'base64' : 'utf8'));
  }
}
