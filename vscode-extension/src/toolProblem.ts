// What is said where a tool that a command needs is not there.

import * as vscode from 'vscode';

export async function toolProblem(name: string, setting: string, given: string): Promise<void> {
  const text = given
    ? `memrefLens.${setting} names no program: ${given}`
    : `${name} was found neither beside the server nor on PATH; install it, or say where it is`;
  const choice = await vscode.window.showErrorMessage(`memref-lens: ${text}`, 'Open Setting');
  if (choice) await vscode.commands.executeCommand('workbench.action.openSettings', `memrefLens.${setting}`);
}
