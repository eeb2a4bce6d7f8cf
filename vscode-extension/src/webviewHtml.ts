// The pages of the CFG and Memory views. Nothing of the user's file is in them: that
// comes in messages, and is put in as text.

export interface PageParts {
  nonce: string;
  cspSource: string;
  script: string;
  style: string;
}

export function contentSecurityPolicy({ nonce, cspSource }: PageParts): string {
  return `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${cspSource}; img-src blob: data:`;
}

export function pageOf(parts: PageParts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(parts)}">
<link rel="stylesheet" href="${parts.style}">
<title>CFG</title>
</head>
<body>
<header>
  <strong id="title"></strong>
  <label>Stage <select id="stage"></select></label>
  <span class="group">
    <button id="back" title="Step back">◀</button>
    <span id="position">–</span>
    <button id="forward" title="Step forward">▶</button>
  </span>
  <span class="group">
    <button id="out" title="Zoom out">−</button>
    <button id="fit" title="Fit">Fit</button>
    <button id="in" title="Zoom in">+</button>
  </span>
  <span class="group"><button id="svg">SVG</button><button id="png">PNG</button></span>
</header>
<main id="canvas" tabindex="0" aria-label="Control-flow graph"></main>
<section id="why" aria-live="polite"></section>
<details open><summary>Ownership</summary><div id="table"></div></details>
<script nonce="${parts.nonce}" src="${parts.script}"></script>
</body>
</html>`;
}

export function memoryPageOf(parts: PageParts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(parts)}">
<link rel="stylesheet" href="${parts.style}">
<title>Memory</title>
</head>
<body>
<header>
  <strong id="title"></strong>
  <select id="space" title="Memory space" hidden></select>
  <span class="curve after" id="after"></span>
  <span class="curve least" id="least"></span>
  <span class="group"><button id="peak" title="Go to the peak">Peak</button><button id="all" title="Show all steps">All steps</button></span>
</header>
<section id="doubts"></section>
<canvas id="plot" tabindex="0" role="img" aria-label="Live bytes over the steps of the function"></canvas>
<p id="where" aria-live="polite"></p>
<main>
<table><thead><tr><th>bytes</th><th>buffer</th><th>at</th><th>use</th><th>end</th><th>why not earlier</th></tr></thead><tbody id="list"></tbody></table>
<p id="more"></p>
</main>
<script nonce="${parts.nonce}" src="${parts.script}"></script>
</body>
</html>`;
}
