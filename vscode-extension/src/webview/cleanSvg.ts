// An SVG as nodes, without anything that could run or fetch. The server makes
// none of that; the page does not rely on it.

const allowed = new Set([
  'svg', 'g', 'title', 'desc', 'defs', 'marker', 'polygon', 'polyline', 'path', 'text', 'tspan', 'rect', 'circle', 'ellipse', 'line',
]);

export function cleanSvg(text: string): SVGSVGElement | undefined {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  const root = parsed.documentElement;
  if (root.localName !== 'svg' || parsed.querySelector('parsererror')) return undefined;
  for (const element of [...root.querySelectorAll('*')]) {
    if (element.localName === 'a') element.replaceWith(...element.childNodes);
    else if (!allowed.has(element.localName)) element.remove();
  }
  for (const element of [root, ...root.querySelectorAll('*')])
    for (const attribute of [...element.attributes])
      if (/^on|href$|^style$/i.test(attribute.name)) element.removeAttribute(attribute.name);
  return document.importNode(root, true) as unknown as SVGSVGElement;
}
