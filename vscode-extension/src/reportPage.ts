// The report in a panel: with the editor's theme, and without the margin that
// VS Code gives to pages. The report's own policy stands behind that style, and
// so does not forbid it.

export function reportPage(report: string, theme: 'light' | 'dark'): string {
  return report
    .replace(/<html\b/, `<html data-theme="${theme}"`)
    .replace(/<head>/, '<head><style>body { padding: 0 !important; }</style>');
}
