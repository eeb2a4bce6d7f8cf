// Which memrefs may be the same allocation: a matrix, with the words about the
// pair, the memref or the access that is chosen.

const aliasMarks = {
  "=": ["=", "must", "always the same allocation"],
  "?": ["?", "may", "may be the same allocation"],
  ".": ["·", "never", "never the same allocation"],
  "!": ["!", "clash", "the analyses contradict each other"],
};
const aliasLegend = Object.values(aliasMarks)
    .map(([mark, , words]) => `${mark} ${words}`).join("   ");

function aliasWords([sentence, ...facts]) {
  const box = make("div", "alias-words");
  box.append(make("p", "", sentence));
  const list = make("ul");
  list.append(...facts.map((fact) => make("li", "", fact)));
  box.append(list);
  return box;
}

function aliasTable(aliases) {
  const table = make("table");
  const head = make("tr");
  head.append(make("td"));
  for (const [id] of aliases.memrefs) {
    const cell = make("th");
    cell.scope = "col";
    cell.append(make("span", "", valueOf(id).n));
    head.append(cell);
  }
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  aliases.memrefs.forEach(([id], row) => {
    const line = make("tr");
    const name = valueHead("th", id);
    name.scope = "row";
    name.dataset.memref = row;
    line.append(name);
    [...aliases.cells[row]].forEach((letter, column) => {
      const [mark, meaning, words] = aliasMarks[letter];
      const cell = make("td", row === column ? "self" : "alias-" + meaning);
      if (row !== column) {
        const button = make("button", "", mark);
        button.type = "button";
        button.title = `${valueOf(id).n}, ` +
            `${valueOf(aliases.memrefs[column][0]).n}: ${words}`;
        button.dataset.pair = `${Math.min(row, column)},${Math.max(row, column)}`;
        cell.append(button);
      }
      line.append(cell);
    });
    body.append(line);
  });
  table.append(top, body);
  return table;
}

function aliasAccesses(aliases) {
  const box = make("details", "alias-accesses");
  box.append(make("summary", "", `${aliases.accesses.length} loads and stores`));
  for (const [line, words] of aliases.accesses) {
    const one = aliasWords(words);
    one.firstChild.textContent = `${line}: ${words[0]}`;
    box.append(one);
  }
  return box;
}

const aliasBox = element("aliases");
const aliasTold = make("div");
aliasTold.id = "ml-alias-told";
aliasTold.setAttribute("aria-live", "polite");

function drawAliases() {
  const {aliases} = view.fn;
  element("aliases-note").textContent = aliases ?
      aliasLegend + (aliases.note ? "   " + aliases.note : "") : "";
  aliasTold.replaceChildren();
  aliasBox.replaceChildren(...(aliases ?
      [aliasTable(aliases), aliasTold, aliasAccesses(aliases)] :
      [make("p", "nothing", "The function has no memref.")]));
}

function tellAlias(words) {
  aliasTold.replaceChildren(aliasWords(words));
}

aliasBox.addEventListener("click", (click) => {
  const {aliases} = view.fn;
  const cell = click.target.closest("[data-pair]");
  const head = click.target.closest("[data-memref]");
  if (head) {
    tellAlias(aliases.memrefs[Number(head.dataset.memref)][1]);
  } else if (cell) {
    const [row, column] = cell.dataset.pair.split(",").map(Number);
    const pair = aliases.pairs.find(([a, b]) => a === row && b === column);
    tellAlias(pair ? pair[2] : [cell.title,
      "Of so many memrefs the page has words only where the analyses differ; " +
      "'memref-lens explain --aliases FILE:LINE:COLUMN' has all."]);
  }
});

panes.push({
  load() {
    if (index.aliases) {
      drawAliases();
    }
  },
});
