// The theme of the server's pictures that goes with the editor's.

import * as vscode from 'vscode';

export function themeName(): 'light' | 'dark' {
  const { kind } = vscode.window.activeColorTheme;
  return kind === vscode.ColorThemeKind.Light || kind === vscode.ColorThemeKind.HighContrastLight ? 'light' : 'dark';
}
