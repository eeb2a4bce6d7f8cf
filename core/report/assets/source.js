// The user's text, with its values, the line of the event, and what a run did.

const mostNotes = 3;

/** What the ops of a line did in the run; nothing where there is no run. */
function runNote(number) {
  const notes = view.fn.run?.notes[number];
  if (!notes) {
    return [];
  }
  const more = notes.length - mostNotes;
  const note = make("span", "run-note", notes.slice(0, mostNotes).join(" · ") +
    (more > 0 ? ` · ${more} more` : ""));
  note.title = notes.join("\n");
  return [note];
}

const sourceList = new RowList(element("source"), 20, (i) => {
  const number = view.fn.first + i;
  const row = make("div", "line");
  row.append(make("span", "number", String(number)));
  for (const part of view.fn.lines[i]) {
    row.append(typeof part === "string" ? part : token(part[0], part[1], false));
  }
  row.append(...runNote(number));
  const event = currentEvent();
  if (event && event.l === number) {
    row.classList.add("current");
    row.setAttribute("aria-current", "true");
  }
  row.classList.toggle("flash", number === flashed);
  return row;
});

let flashed = 0;

function showLine(line) {
  flashed = line;
  if (view.fn.lines && line) {
    sourceList.reveal(line - view.fn.first);
  }
}

panes.push({
  load() {
    const lines = view.fn.lines;
    flashed = 0;
    element("source-pane").classList.toggle("empty", !lines);
    sourceList.setCount(lines ? lines.length : 0);
  },
  step() {
    flashed = 0;
    const event = currentEvent();
    if (event && event.l && view.fn.lines) {
      sourceList.reveal(event.l - view.fn.first);
    } else {
      sourceList.draw(true);
    }
  },
});
