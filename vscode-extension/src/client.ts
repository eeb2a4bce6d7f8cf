// Starts the language server and keeps it: one message for a wrong path, one
// for a crash, and a restart that needs no reload of the window. Beside the
// official MLIR extension the server runs as a companion; where that extension
// runs our server itself, only our own requests are asked here.

import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import * as vscode from 'vscode';
import {
  CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State,
  type LanguageClientOptions, type Middleware,
} from 'vscode-languageclient/node';
import { findServer, findTool, type Found, type World } from './serverPath';
import { CrashPolicy } from './crashPolicy';
import { linkRules } from './findings';
import { pluginArguments } from './pipelineArguments';
import { openSetting } from './toolProblem';

export const officialExtension = 'llvm-vs-code-extensions.vscode-mlir';

export const world: World = {
  isExecutable(file) {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  },
  versionOf: (file) =>
    new Promise((done) => {
      execFile(file, ['--version'], { timeout: 10000 }, (error, stdout) => done(error ? undefined : stdout));
    }),
};

/** Settings that are arguments of the server, not options of a request. */
const startSettings = ['serverPath', 'mode', 'server', 'dialectPlugins', 'passPlugins'];

/** What the user named to be loaded; nothing where the workspace is not trusted. */
export function namedPlugins(): string[] {
  if (!vscode.workspace.isTrusted) return [];
  const settings = vscode.workspace.getConfiguration('memrefLens');
  const plugins = { dialects: settings.get<string[]>('dialectPlugins', []), passes: settings.get<string[]>('passPlugins', []) };
  return pluginArguments(plugins, (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath));
}

export type ServerState = 'starting' | 'ready' | 'restarted' | 'stopped';

export class Server implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel('memref-lens');
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly diagnosed = new vscode.EventEmitter<string>();
  readonly onChange = this.changed.event;
  /** URIs whose diagnostics came. */
  readonly onDiagnostics = this.diagnosed.event;
  state: ServerState = 'stopped';
  file = '';
  private client: LanguageClient | undefined;
  /** Settles when the client is up, or is not to be. */
  private started: Promise<void> = Promise.resolve();
  /** Why there is no server; it is looked for again when that may have changed. */
  private missing = '';
  private told = '';
  private readonly off = new Set<string>();
  private policy = new CrashPolicy();
  private isQuiet = false;
  private generation = 0;

  constructor(private readonly context: vscode.ExtensionContext) {
    context.subscriptions.push(this.log, vscode.workspace.onDidChangeConfiguration((event) => this.onConfiguration(event)));
    context.subscriptions.push(
      vscode.extensions.onDidChange(() => this.onExtensions()),
      // It may have been built or installed meanwhile.
      vscode.window.onDidChangeWindowState((window) => window.focused && this.lookAgain()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.lookAgain()),
      vscode.workspace.onDidOpenTextDocument((document) => document.languageId === 'mlir' && this.lookAgain()),
    );
  }

  get isRunning(): boolean {
    return this.client?.state === State.Running;
  }

  isOff(uri: vscode.Uri): boolean {
    return this.off.has(uri.toString());
  }

  /** Nothing if the server is away, or has no answer. */
  async ask<T>(name: string, params: object): Promise<T | undefined> {
    if (!this.client || !this.isRunning) return undefined;
    try {
      return (await this.client.sendRequest<T | null>(name, params)) ?? undefined;
    } catch (error) {
      this.note(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /** A program beside the server, by its name and the setting that may name it. */
  tool(name: string, setting: string): string | undefined {
    return findTool(name, { setting, server: this.file, searchPath: process.env['PATH'] ?? '', extensionFolder: this.context.extensionPath }, world);
  }

  note(text: string): void {
    this.log.appendLine(`[client] ${text}`);
  }

  async start(): Promise<void> {
    const mine = ++this.generation;
    this.setState('starting');
    const found = await this.find();
    if (mine !== this.generation) return;
    if ('problem' in found) {
      this.file = '';
      this.missing = found.problem;
      this.setState('stopped');
      this.note(found.problem);
      // The settings of a remote window come late; what they mend is not told.
      setTimeout(() => mine === this.generation && void this.tellProblem(found), 1500);
      return;
    }
    this.missing = this.told = '';
    this.file = found.file;
    const mode = this.mode(found);
    this.isQuiet = mode === 'quiet';
    this.note(`${found.file} (from ${found.from}), mode ${mode}`);
    const client = new LanguageClient('memrefLens', 'memref-lens', { command: found.file, args: this.arguments(mode), options: {} }, this.options());
    this.client = client;
    client.onDidChangeState((event) => {
      if (client !== this.client) return;
      if (event.newState === State.Running) this.setState(this.policy.hasCrashed ? 'restarted' : 'ready');
      else if (event.newState === State.Stopped) this.setState('stopped');
    });
    this.started = client.start().catch((error) => {
      this.note(`the server did not start: ${String(error)}`);
      if (client === this.client) this.setState('stopped');
    });
    await this.started;
  }

  /** What the user asks for also turns on what was turned off. */
  async restart(isAsked = false): Promise<void> {
    const mine = ++this.generation;
    if (isAsked) this.off.clear();
    this.told = '';
    this.policy = new CrashPolicy();
    this.setState('starting');
    await this.stop();
    if (mine === this.generation) await this.start();
  }

  async dispose(): Promise<void> {
    ++this.generation;
    await this.stop();
  }

  private async stop(): Promise<void> {
    const old = this.client;
    this.client = undefined;
    if (!old) return;
    // A client that is starting cannot be stopped.
    await Promise.race([this.started, new Promise((done) => setTimeout(done, 5000))]);
    await old.dispose(3000).catch(() => undefined);
  }

  private lookAgain(): void {
    if (this.missing && this.state === 'stopped') void this.start();
  }

  private setState(state: ServerState): void {
    this.state = state;
    this.changed.fire();
  }

  private async find(): Promise<Found> {
    return findServer(
      {
        setting: vscode.workspace.getConfiguration('memrefLens').get('serverPath', ''),
        mlirSetting: vscode.workspace.getConfiguration('mlir').get('server_path', ''),
        searchPath: process.env['PATH'] ?? '',
        folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
        extensionFolder: this.context.extensionPath,
      },
      world,
    );
  }

  private async tellProblem(found: { problem: string; setting?: string }): Promise<void> {
    if (this.told === found.problem) return;
    this.told = found.problem;
    const choice = await vscode.window.showErrorMessage(`memref-lens: ${found.problem}`, 'Open Setting');
    if (choice) await openSetting(found.setting ?? 'memrefLens');
  }

  private mode(found: Found): 'full' | 'companion' | 'quiet' {
    const wanted = vscode.workspace.getConfiguration('memrefLens').get<string>('mode', 'auto');
    if (wanted === 'full' || wanted === 'companion') return wanted;
    if (!vscode.extensions.getExtension(officialExtension)) return 'full';
    return 'from' in found && found.from === 'mlir.server_path' ? 'quiet' : 'companion';
  }

  private arguments(mode: string): string[] {
    const server = vscode.workspace.getConfiguration('memrefLens.server');
    const made = [`--log=${server.get('log', 'info')}`];
    if (!server.get('crashReports', true)) made.push('--crash-dir=off');
    if (mode !== 'full') made.push('--companion');
    return [...made, ...namedPlugins()];
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [
        { scheme: 'file', language: 'mlir' },
        { scheme: 'untitled', language: 'mlir' },
      ],
      initializationOptions: { memrefLens: vscode.workspace.getConfiguration('memrefLens') },
      synchronize: { configurationSection: 'memrefLens' },
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      // The one command that a hover links to.
      markdown: { isTrusted: { enabledCommands: ['memrefLens.showEvidence'] } },
      middleware: this.middleware(),
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.onClosed(),
      },
    };
  }

  private onClosed(): { action: CloseAction; handled: boolean } {
    const verdict = this.policy.crashed(performance.now());
    this.note(`the server ended unexpectedly; ${verdict.restart ? 'restarting it' : 'not restarted'}`);
    if (verdict.tell) void this.tellCrash(verdict.restart);
    return { action: verdict.restart ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
  }

  private async tellCrash(restarts: boolean): Promise<void> {
    const turnOff = 'Turn analysis off for this file';
    const isMlir = (editor: vscode.TextEditor | undefined) => editor?.document.languageId === 'mlir';
    // The log counts as an editor, too.
    const editor = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find(isMlir);
    const text = `memref-lens: the language server ended unexpectedly${restarts ? ' and was started again' : ' too often and stays off'}`;
    const choice = await vscode.window.showWarningMessage(text, 'Show log', 'Restart', ...(editor ? [turnOff] : []));
    this.policy.told();
    if (choice === 'Show log') this.log.show();
    else if (choice === 'Restart') await this.restart(true);
    else if (choice === turnOff && editor) {
      this.off.add(editor.document.uri.toString());
      await this.restart();
    }
  }

  private middleware(): Middleware {
    const isSilent = (uri: vscode.Uri) => this.isQuiet || this.off.has(uri.toString());
    return {
      didOpen: async (document, next) => {
        if (!this.off.has(document.uri.toString())) await next(document);
      },
      didChange: async (event, next) => {
        if (!this.off.has(event.document.uri.toString())) await next(event);
      },
      didClose: async (document, next) => {
        // Off until it is opened again.
        if (!this.off.delete(document.uri.toString())) await next(document);
      },
      provideHover: (document, position, token, next) => (isSilent(document.uri) ? null : next(document, position, token)),
      provideInlayHints: (document, range, token, next) => (isSilent(document.uri) ? null : next(document, range, token)),
      provideCodeLenses: (document, token, next) => (isSilent(document.uri) ? null : next(document, token)),
      provideDocumentHighlights: (document, position, token, next) => (isSilent(document.uri) ? null : next(document, position, token)),
      provideCodeActions: (document, range, context, token, next) => (isSilent(document.uri) ? null : next(document, range, context, token)),
      handleDiagnostics: (uri, diagnostics, next) => {
        linkRules(diagnostics, vscode.Uri.joinPath(this.context.extensionUri, 'dist', 'rules'));
        next(uri, isSilent(uri) ? [] : diagnostics);
        this.diagnosed.fire(uri.toString());
      },
    };
  }

  private onConfiguration(event: vscode.ConfigurationChangeEvent): void {
    const isMlirPath = event.affectsConfiguration('mlir.server_path');
    if (isMlirPath || startSettings.some((name) => event.affectsConfiguration(`memrefLens.${name}`))) void this.restart();
  }

  private hadOfficial = !!vscode.extensions.getExtension(officialExtension);

  private onExtensions(): void {
    const has = !!vscode.extensions.getExtension(officialExtension);
    if (has === this.hadOfficial) return;
    this.hadOfficial = has;
    void this.restart();
  }
}
