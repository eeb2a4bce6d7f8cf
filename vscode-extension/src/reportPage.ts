// Pages of panels that show what the command line wrote.

import { createHash } from 'node:crypto';

/** The report in a panel: with the editor's theme, and without the margin that
 *  VS Code gives to pages. The report's own policy stands behind that style, and
 *  so does not forbid it. */
export function reportPage(report: string, theme: 'light' | 'dark'): string {
  return report
    .replace(/<html\b/, `<html data-theme="${theme}"`)
    .replace(/<head>/, '<head><style>body { padding: 0 !important; }</style>');
}

/** An SVG at its own size or larger. An image runs nothing and fetches nothing. */
export function picturePage(title: string, base64: string): string {
  const style = 'body { padding: 0; } img { max-width: none; min-width: 100%; }';
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style><title>${title}</title></head><body><img alt="${title}" src="data:image/svg+xml;base64,${base64}"></body></html>`;
}
