// Puts the parts together: the server, its views, and the commands.

import * as vscode from 'vscode';
import { Causes } from './causes';
import { CfgView } from './cfgView';
import { Server } from './client';
import { CommandLine } from './commandLine';
import { DesktopViewer } from './desktopViewer';
import { showEvidence } from './evidence';
import { PathWalk } from './findings';
import { FunctionModels, isMlir } from './functionModel';
import { MemoryView } from './memoryView';
import { OwnershipMarks } from './ownershipMarks';
import { method, type TraceAnswer } from './protocol';
import { dropRunRecord, useRunRecord } from './runRecord';
import { RunView } from './runView';
import { Stages } from './stages';
import { StatusBar } from './statusBar';
import { Stepper } from './stepper';
import { openSetting } from './toolProblem';
import { Trees } from './trees';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const made = new Server(context);
  server = made;
  const models = new FunctionModels(made);
  const stepper = new Stepper(models);
  const cfg = new CfgView(context, made, models, stepper);
  const memory = new MemoryView(context, made);
  const stages = new Stages(made, models);
  const tools = new CommandLine(made, mlirEditor);
  const viewer = new DesktopViewer(made);
  const walk = new PathWalk();
  const causes = new Causes(made, tools, mlirEditor);
  const runs = new RunView(tools, made.log);
  context.subscriptions.push(walk, causes, runs, stepper, cfg, memory, stages, tools, new Trees(made, models), new StatusBar(made), new OwnershipMarks(made, models));

  const editorOf = async (uri: unknown): Promise<vscode.TextEditor | undefined> => {
    if (typeof uri !== 'string') return mlirEditor();
    return vscode.window.showTextDocument(vscode.Uri.parse(uri));
  };
  const commands: Record<string, (...given: unknown[]) => unknown> = {
    showCfg: async (uri, name) => cfg.show(await editorOf(uri), typeof name === 'string' ? name : undefined),
    showLifetimes: () => tools.showLifetimes(),
    showTensors: () => tools.showTensors(),
    showMemory: () => memory.show(mlirEditor()),
    runFunction: () => runs.run(mlirEditor(), false),
    runFunctionWith: () => runs.run(mlirEditor(), true),
    clearRun: async () => {
      runs.clear();
      await dropRunRecord();
    },
    useRunRecord: () => useRunRecord(mlirEditor()?.document),
    stepForward: () => stepper.step(1),
    stepBack: () => stepper.step(-1),
    stepThrough: async (uri, name) => {
      const editor = await editorOf(uri);
      await cfg.show(editor, typeof name === 'string' ? name : undefined);
      const model = editor && (typeof name === 'string' ? await models.get(editor.document, name) : await models.atCursor(editor));
      if (!editor || !model) return;
      moveInto(editor, model.index.spanOf(model.index.function?.nameRange)?.start.line);
      await stepper.goTo(editor, model, 0);
    },
    compareStages: (from, to) => stages.compare(mlirEditor(), typeof from === 'number' ? from : undefined, typeof to === 'number' ? to : undefined),
    lookForCauses: () => causes.look(true),
    copyFix: (commands) => copyFix(commands),
    nextPathStep: () => walk.step(1),
    previousPathStep: () => walk.step(-1),
    nextChange: () => stages.move(1),
    previousChange: () => stages.move(-1),
    openReport: () => tools.openReport(),
    export: () => tools.exportFile(),
    copyTrace: () => copyTrace(made),
    compareUpstream: () => tools.compareUpstream(),
    openViewer: () => viewer.open(mlirEditor()),
    restartServer: () => made.restart(true),
    openServerSetting: () => openSetting('memrefLens.serverPath'),
    showLog: () => made.log.show(),
    reveal: (target) => reveal(target, models, stepper),
    showEvidence: (uri, line, character) => showEvidence(made, uri, line, character),
  };
  for (const [name, run] of Object.entries(commands)) context.subscriptions.push(vscode.commands.registerCommand(`memrefLens.${name}`, run));
  context.subscriptions.push(
    vscode.workspace.onDidChangeTextDocument((event) => isMlir(event.document) && event.contentChanges.length > 0 && stepper.clear()),
  );
  await vscode.commands.executeCommand('setContext', 'memrefLens.active', true);
  await made.start();
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}

/** The active one, or the one beside the graph. */
function mlirEditor(): vscode.TextEditor | undefined {
  const active = vscode.window.activeTextEditor;
  if (isMlir(active?.document)) return active;
  return vscode.window.visibleTextEditors.find((one) => isMlir(one.document));
}

/** The stepper works on the function around the cursor. */
function moveInto(editor: vscode.TextEditor, line: number | undefined): void {
  if (line === undefined) return;
  const at = new vscode.Position(line, 0);
  editor.selection = new vscode.Selection(at, at);
}

async function reveal(target: unknown, models: FunctionModels, stepper: Stepper): Promise<void> {
  const editor = mlirEditor();
  const wanted = target as { step?: number; line?: number; character?: number } | undefined;
  if (!editor || !wanted) return;
  if (wanted.step !== undefined) {
    const model = await models.atCursor(editor);
    if (model) await stepper.goTo(editor, model, wanted.step);
    return;
  }
  const at = new vscode.Position(wanted.line ?? 0, wanted.character ?? 0);
  await vscode.window.showTextDocument(editor.document, { selection: new vscode.Range(at, at), ...(editor.viewColumn ? { viewColumn: editor.viewColumn } : {}) });
}

/** From the tree of causes: the commands that apply a remedy, one a line. */
async function copyFix(commands: unknown): Promise<void> {
  if (!Array.isArray(commands) || commands.length === 0) return;
  await vscode.env.clipboard.writeText(commands.join('\n'));
  vscode.window.setStatusBarMessage('memref-lens: the command is in the clipboard', 4000);
}

async function copyTrace(server: Server): Promise<void> {
  const editor = mlirEditor();
  if (!editor) return;
  const { line, character } = editor.selection.active;
  const answer = await server.ask<TraceAnswer>(method.trace, { textDocument: { uri: editor.document.uri.toString() }, position: { line, character } });
  if (!answer) {
    void vscode.window.showWarningMessage('memref-lens: there is no trace here');
    return;
  }
  await vscode.env.clipboard.writeText(JSON.stringify(answer.trace, undefined, 1));
  vscode.window.setStatusBarMessage('memref-lens: the trace is in the clipboard', 4000);
}
