// The graph and the lifetimes: SVG made beforehand, here linked to the values.

const svgNamespace = "http://www.w3.org/2000/svg";

/** Parses the picture; anything that could act is refused. */
function parsedSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.namespaceURI !== svgNamespace || root.localName !== "svg" ||
      root.querySelector("script, foreignObject, iframe, parsererror")) {
    return null;
  }
  return document.importNode(root, true);
}

/** Graphviz's tooltips, as browsers show them. */
function addTitles(svg) {
  for (const link of svg.querySelectorAll("a")) {
    const title = link.getAttributeNS("http://www.w3.org/1999/xlink", "title");
    link.removeAttributeNS("http://www.w3.org/1999/xlink", "title");
    link.removeAttributeNS("http://www.w3.org/1999/xlink", "href");
    if (title && !link.querySelector("title")) {
      const node = document.createElementNS(svgNamespace, "title");
      node.textContent = title;
      link.prepend(node);
    }
  }
}

/** Makes each name in a line of text a part of its own, which stands for the
    value. A chip stands for its value as a whole. */
function linkTexts(svg) {
  for (const text of svg.querySelectorAll("text")) {
    if (!text.textContent.includes("%") || text.closest("[data-value]")) {
      continue;
    }
    const parts = [];
    forTokens(text.textContent, (part) => parts.push(part), (part, id) => {
      const name = document.createElementNS(svgNamespace, "tspan");
      name.textContent = part;
      name.dataset.value = id;
      name.dataset.byName = "";
      parts.push(name);
    });
    text.replaceChildren(...parts);
  }
}

class Drawing {
  /** As wide as its pane, but not smaller than `least`. */
  constructor(name, least = 0.8) {
    this.box = element(name);
    this.least = least;
    this.zoom = 0;
    this.box.addEventListener("click", (event) => this.click(event.target));
  }

  load(text) {
    this.box.replaceChildren();
    this.svg = text ? parsedSvg(text) : null;
    if (!this.svg) {
      this.box.append(make("p", "nothing", "Nothing to draw."));
      return;
    }
    addTitles(this.svg);
    this.svg.setAttribute("role", "img");
    this.svg.setAttribute("aria-label", view.fn.name);
    this.width = this.svg.viewBox.baseVal.width ||
        parseFloat(this.svg.getAttribute("width")) || 600;
    linkTexts(this.svg);
    this.box.append(this.svg);
    this.fit();
  }

  fit() {
    this.zoom = 0;
    this.size();
  }

  size() {
    if (!this.svg) {
      return;
    }
    const room = this.box.clientWidth - 16;
    const scale = this.zoom ||
        Math.min(1.34, Math.max(this.least, room / this.width || 1));
    this.scale = scale;
    this.svg.setAttribute("width", String(this.width * scale));
    this.svg.removeAttribute("height");
  }

  magnify(factor) {
    this.zoom = Math.min(4, Math.max(0.05, this.scale * factor));
    this.size();
  }

  click(target) {
    const holder = target.closest("[data-value]");
    const event = target.closest("[data-event]");
    if (event && view.fn.position.has(Number(event.dataset.event))) {
      goTo(view.fn.position.get(Number(event.dataset.event)));
    }
    if (holder) {
      select(Number(holder.dataset.value));
    }
  }

  /** Marks the parts of a block. */
  mark(block) {
    if (!this.svg) {
      return;
    }
    for (const node of this.svg.querySelectorAll(".here")) {
      node.classList.remove("here");
    }
    if (block === undefined) {
      return;
    }
    const nodes = [...this.svg.querySelectorAll(
        `.node[data-block="${block}"]`)];
    for (const node of nodes) {
      node.classList.add("here");
    }
    if (nodes.length && this.box.clientHeight) {
      this.show(nodes[0]);
    }
  }

  show(node) {
    const box = this.box.getBoundingClientRect();
    const place = node.getBoundingClientRect();
    if (place.top < box.top || place.bottom > box.bottom) {
      this.box.scrollTop += place.top - box.top - 20;
    }
    if (place.left < box.left || place.right > box.right) {
      this.box.scrollLeft += place.left - box.left - 20;
    }
  }
}

const graph = new Drawing("graph");
const lifetimes = new Drawing("lifetimes");
element("zoom-in").addEventListener("click", () => graph.magnify(1.25));
element("zoom-out").addEventListener("click", () => graph.magnify(0.8));
element("zoom-fit").addEventListener("click", () => graph.fit());
window.addEventListener("resize", () => {
  graph.size();
  lifetimes.size();
});

panes.push({
  load() {
    graph.load(view.fn.graph);
    lifetimes.load(view.fn.lifetimes);
    element("graph-note").textContent = view.fn.graphNote || "";
  },
  step() {
    const event = currentEvent();
    graph.mark(event ? event.b : undefined);
  },
  tab() {
    graph.size();
    lifetimes.size();
    this.step();
  },
});
