// What is said where a tool that a command needs is not there, and the way to
// the setting that names it.

import * as vscode from 'vscode';

export async function toolProblem(name: string, setting: string, given: string): Promise<void> {
  const text = given
    ? `memrefLens.${setting} names no program: ${given}`
    : `${name} was found neither beside the server nor on PATH; install it, or say where it is`;
  const choice = await vscode.window.showErrorMessage(`memref-lens: ${text}`, 'Open Setting');
  if (choice) await openSetting(`memrefLens.${setting}`);
}

/** A path is a setting of the machine; in a remote window these have a page of their own. */
export async function openSetting(name: string): Promise<void> {
  const isRemote = vscode.env.remoteName !== undefined;
  if (isRemote) await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query: name });
  else await vscode.commands.executeCommand('workbench.action.openSettings', name);
}
