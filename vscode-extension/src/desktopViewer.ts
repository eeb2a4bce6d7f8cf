// The desktop viewer, opened where the cursor is. Its "open in editor" comes
// back through `code --goto`.

import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import { namedPlugins, type Server } from './client';
import { functionNameAt } from './functionModel';
import { viewerName } from './serverPath';
import { toolProblem } from './toolProblem';

/** One that ends so soon could not open a window. */
const soon = 5000;

export function viewerArguments(file: string, name: string | undefined, line: number): string[] {
  return [file, ...(name === undefined ? [] : ['--function', name]), '--line', String(line + 1)];
}

export class DesktopViewer {
  constructor(private readonly server: Server) {}

  async open(editor: vscode.TextEditor | undefined): Promise<void> {
    if (!editor) return;
    const setting = vscode.workspace.getConfiguration('memrefLens').get('viewerPath', '');
    const program = this.server.tool(viewerName, setting);
    if (!program) return toolProblem(viewerName, 'viewerPath', setting);
    const { document } = editor;
    // The viewer reads the file, and comes back to its lines.
    if ((document.isDirty || document.isUntitled) && !(await document.save())) return;
    const { line } = editor.selection.active;
    this.run(program, [...namedPlugins(), ...viewerArguments(editor.document.uri.fsPath, functionNameAt(document, line), line)]);
  }

  private run(program: string, given: string[]): void {
    this.server.note(`${program} ${given.join(' ')}`);
    const begun = performance.now();
    let problem = '';
    // It lives on when the window is closed.
    const child = spawn(program, given, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (data: Buffer) => (problem = (problem + data.toString()).slice(0, 4000)));
    const tell = (text: string) => {
      this.server.note(`${viewerName}: ${text}`);
      void vscode.window.showErrorMessage(`memref-lens: the desktop viewer did not open: ${text}`);
    };
    child.on('error', (error) => tell(error.message));
    child.on('exit', (code) => {
      if (code && performance.now() - begun < soon) tell(problem.trim().split('\n')[0] || `it ended with ${code}`);
    });
    child.unref();
  }
}
