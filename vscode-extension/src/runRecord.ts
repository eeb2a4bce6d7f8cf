// "Use Run Record...": which run's counts the server tells in hovers, hints and
// diagnostics. The setting `memrefLens.run` names it; the server tells where it is a
// run of another text.

import * as path from 'node:path';
import * as vscode from 'vscode';

const name = 'run';

const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('memrefLens');

/** Of the workspace, if there is one: a record belongs to its files. */
export async function useRunRecord(document: vscode.TextDocument | undefined): Promise<void> {
  const beside = document?.uri.scheme === 'file' ? vscode.Uri.file(path.dirname(document.uri.fsPath)) : undefined;
  const picked = await vscode.window.showOpenDialog({
    title: 'What memref-lens run FILE --format json -o RUN.json wrote',
    openLabel: 'Use Run Record',
    filters: { 'Run record': ['json'] },
    ...(beside ? { defaultUri: beside } : {}),
  });
  const file = picked?.[0]?.fsPath;
  if (file === undefined) return;
  const target = vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await settings().update(name, file, target);
}

/** Wherever it is named. */
export async function dropRunRecord(): Promise<void> {
  const named = settings().inspect<string>(name);
  if (named?.workspaceValue) await settings().update(name, undefined, vscode.ConfigurationTarget.Workspace);
  if (named?.globalValue) await settings().update(name, undefined, vscode.ConfigurationTarget.Global);
}
