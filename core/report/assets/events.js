// The events in order, and why the one at hand was decided so.

let shownEvents = []; // positions in fn.events

const eventList = new RowList(element("events"), 24, (i) => {
  const at = shownEvents[i];
  const event = view.fn.events[at];
  const row = make("div", "event");
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", String(at === view.at));
  row.dataset.at = at;
  row.append(make("span", "number", String(at + 1)),
      make("span", "kind kind-" + event.k, event.k));
  const text = make("span", "text");
  addTokens(text, event.w);
  row.append(text);
  if (event.c) {
    row.classList.add("change");
  }
  return row;
});

element("events").addEventListener("click", (click) => {
  const row = click.target.closest("[data-at]");
  if (row) {
    goTo(Number(row.dataset.at));
  }
});

function concerns(event, value) {
  return event.v === value || (event.n && event.n.includes(value));
}

function chooseEvents() {
  const only = element("only").checked && view.value !== null;
  shownEvents = [];
  view.fn.events.forEach((event, i) => {
    if (!only || concerns(event, view.value)) {
      shownEvents.push(i);
    }
  });
  eventList.setCount(shownEvents.length);
}

element("only").addEventListener("change", () => {
  chooseEvents();
  revealEvent();
});

function revealEvent() {
  const i = shownEvents.indexOf(view.at);
  if (i >= 0) {
    eventList.reveal(i);
  } else {
    eventList.draw(true);
  }
}

function placeButton(text, action) {
  const button = make("button", "place", text);
  button.type = "button";
  button.addEventListener("click", action);
  return button;
}

function evidenceItem([text, line, place, event]) {
  const item = make("li");
  if (line) {
    item.append(placeButton(place, () => showLine(line)), " ");
  }
  addTokens(item, text);
  if (event >= 0 && view.fn.position.has(event)) {
    const at = view.fn.position.get(event);
    if (at !== view.at) {
      item.append(" ", placeButton(`event ${at + 1}`, () => goTo(at)));
    }
  }
  return item;
}

function valueButtons(event) {
  const box = make("p", "values");
  const ids = new Set(event.v === undefined ? [] : [event.v]);
  (event.n || []).forEach((id) => ids.add(id));
  for (const id of [...ids].slice(0, 24)) {
    const value = valueOf(id);
    if (value) {
      const button = make("button", "value", value.n);
      button.type = "button";
      button.title = value.t;
      button.dataset.value = id;
      light(button);
      box.append(button);
    }
  }
  return box;
}

function showWhy() {
  const box = element("why");
  const event = currentEvent();
  if (!event) {
    box.replaceChildren(make("p", "nothing",
        "Nothing was decided in this function."));
    return;
  }
  const where = make("p", "where");
  where.append(make("span", "kind kind-" + event.k, event.k),
      ` stage ${event.s}, ${stageName(event.s)}`,
      event.b === undefined ? "" : `, ${blockName(event.b)}`, " ");
  if (event.l) {
    where.append(placeButton(`line ${event.l}`, () => showLine(event.l)));
  }
  const sentence = make("p", "sentence");
  addTokens(sentence, event.w);
  const evidence = make("ul", "evidence");
  evidence.append(...(event.e || []).map(evidenceItem));
  const remedies = make("ul", "remedies");
  remedies.append(...(event.r || []).map((text) => make("li", "", text)));
  box.replaceChildren(where, sentence, evidence, remedies,
      valueButtons(event));
  box.scrollTop = 0;
}

function showFate() {
  const value = view.value === null ? null : valueOf(view.value);
  const box = element("fate");
  box.hidden = !value;
  box.replaceChildren();
  if (!value) {
    return;
  }
  box.append(make("b", "", value.n), ": ", make("code", "", value.t));
  if (value.f) {
    box.append(" — ");
    addTokens(box, value.f);
  } else if (value.s !== undefined && valueOf(value.s)) {
    box.append(" — stands for ");
    box.append(token(valueOf(value.s).n, value.s, false));
  }
  const clear = placeButton("×", () => select(null));
  clear.setAttribute("aria-label", "Select no value");
  box.append(" ", clear);
}

panes.push({
  load() {
    chooseEvents();
  },
  step() {
    showWhy();
    revealEvent();
  },
  pick() {
    showFate();
    if (element("only").checked) {
      chooseEvents();
      revealEvent();
    }
  },
});
