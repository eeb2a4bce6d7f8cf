// Steps, selection, functions, keys, links; then the start.

function goTo(at) {
  const last = view.fn.events.length - 1;
  view.at = Math.max(0, Math.min(last, at));
  tell("step");
  showCount();
  keepLink();
}

function select(id) {
  view.value = id === null || !valueOf(id) ? null : id;
  view.name = view.value === null ? "" : valueOf(id).n;
  element("value").value = view.name;
  lightAll();
  tell("pick");
  keepLink();
}

document.addEventListener("click", (event) => {
  const node = event.target.closest(".token, button.value");
  if (node) {
    select(Number(node.dataset.value));
  }
});

/** The next event in a direction for which the test holds; stays if none. */
function seek(direction, test) {
  const {events} = view.fn;
  for (let i = view.at + direction; i >= 0 && i < events.length;
    i += direction) {
    if (test(events[i])) {
      goTo(i);
      return true;
    }
  }
  return false;
}

const isChange = (event) => Boolean(event.c);
const isOfValue = (event) => view.value === null || concerns(event, view.value);
const isAny = (event) => !element("only").checked || isOfValue(event);

// --- Playing

let playing = 0;

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => {
    if (!seek(1, isAny)) {
      play(false);
    }
  }, 700) : 0;
  element("play").textContent = on ? "Pause" : "Play";
  element("play").setAttribute("aria-label", on ? "Pause" : "Play");
}

const actions = {
  "previous": () => seek(-1, isAny),
  "next": () => seek(1, isAny),
  "previous-change": () => seek(-1, isChange),
  "next-change": () => seek(1, isChange),
  "play": () => play(!playing),
};
for (const [name, action] of Object.entries(actions)) {
  element(name).addEventListener("click", action);
}
element("range").addEventListener("input",
    () => goTo(Number(element("range").value)));

// --- Timeline

function showCount() {
  const count = view.fn.events.length;
  const range = element("range");
  range.max = Math.max(0, count - 1);
  range.value = view.at;
  range.disabled = count === 0;
  const event = currentEvent();
  range.setAttribute("aria-valuetext", event ? event.w : "no event");
  element("count").textContent = count ? `${view.at + 1} / ${count}` : "0";
}

/** A band for each stage, a tick for each change. */
function drawTimeline() {
  const {events} = view.fn;
  const perStage = new Map();
  events.forEach((e) => perStage.set(e.s, (perStage.get(e.s) || 0) + 1));
  element("bands").replaceChildren(...[...perStage].map(([stage, count]) => {
    const band = make("span", "", String(stage));
    band.title = stageName(stage);
    band.style.flexGrow = count;
    return band;
  }));
  const canvas = element("ticks");
  canvas.width = canvas.clientWidth;
  canvas.height = canvas.clientHeight;
  const pen = canvas.getContext("2d");
  const colors = getComputedStyle(document.documentElement);
  events.forEach((event, i) => {
    if (event.c) {
      const name = event.k === "rejection" ? "--deallocated-line" : "--owned-line";
      pen.fillStyle = colors.getPropertyValue(name);
      pen.fillRect((i + 0.5) / events.length * canvas.width, 0, 1,
          canvas.height);
    }
  });
}

// --- Functions

let found = [];

const functionList = new RowList(element("function-list"), 44, (i) => {
  const fn = found[i];
  const row = make("div", "function");
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", String(view.fn && fn.id === view.fn.id));
  row.dataset.id = fn.id;
  row.append(make("span", "name", "@" + fn.name),
      make("span", "status status-" + fn.status.replace(/ /g, "-"),
          fn.status === "traced" ?
            [[fn.allocations, "alloc"], [fn.deallocs, "dealloc"], [fn.clones, "clone"]]
                .filter(([count]) => count)
                .map(([count, what]) => `${count} ${what}${count === 1 ? "" : "s"}`)
                .join(", ") :
            fn.status));
  row.title = fn.name;
  return row;
});

function searchFunctions() {
  const wanted = element("search").value.trim().toLowerCase().replace("@", "");
  found = index.functions.filter((fn) =>
    fn.name.toLowerCase().includes(wanted) || fn.status.includes(wanted));
  functionList.setCount(found.length);
}

function showMenu(on) {
  document.body.classList.toggle("menu", on);
  element("menu").setAttribute("aria-expanded", String(on));
}

function stepFunction(direction) {
  const at = found.findIndex((fn) => fn.id === view.fn.id);
  const next = found[Math.max(0, Math.min(found.length - 1, at + direction))];
  if (next) {
    openFunction(next.id);
    functionList.reveal(found.indexOf(next));
  }
}

element("search").addEventListener("input", searchFunctions);
element("search").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && found.length) {
    openFunction(found[0].id);
    element("function-list").focus();
  } else if (event.key === "ArrowDown") {
    element("function-list").focus();
  }
});
element("function-list").addEventListener("click", (event) => {
  const row = event.target.closest("[data-id]");
  if (row) {
    openFunction(Number(row.dataset.id));
    showMenu(false);
  }
});
element("menu").addEventListener("click",
    () => showMenu(!document.body.classList.contains("menu")));

function showProblems(id) {
  const mine = index.problems.filter((p) => p[3] === id || p[3] < 0);
  element("problems").hidden = mine.length === 0;
  element("problems").replaceChildren(...mine.map(([text, place, remedy]) => {
    const line = make("span", "problem", `${place} ${text}`);
    if (remedy) {
      line.append(make("span", "remedy", ` ${remedy}`));
    }
    return line;
  }));
}

function openFunction(id, at = 0) {
  play(false);
  view.fn = functionData(id);
  view.value = null;
  view.name = "";
  view.at = 0;
  element("function").textContent = "@" + view.fn.name;
  element("status").textContent = view.fn.totals;
  document.title = `@${view.fn.name} – memref-lens`;
  element("values").replaceChildren(
      ...[...view.fn.byName.keys()].map((name) => {
        const option = make("option");
        option.value = name;
        return option;
      }));
  showProblems(id);
  tell("load");
  drawTimeline();
  select(null);
  goTo(at);
  functionList.draw(true);
}

// --- Tabs, theme, help

const tabs = ["graph", "ownership", "lifetimes", "stages"];
if (index.tensors) {
  tabs.push("tensors");
  element("tab-tensors").hidden = false;
}
if (index.aliases) {
  tabs.push("aliases");
  element("tab-aliases").hidden = false;
}
tabs.push("memory");
if (index.run) {
  tabs.push("run");
  element("tab-run").hidden = false;
}

let chosenTab = "graph";

function showTab(name) {
  chosenTab = name;
  for (const tab of tabs) {
    const chosen = tab === name;
    element("tab-" + tab).setAttribute("aria-selected", String(chosen));
    element("tab-" + tab).tabIndex = chosen ? 0 : -1;
    element(tab + "-pane").hidden = !chosen;
  }
  if (view.fn) {
    tell("tab");
    lists.forEach((list) => list.draw(true));
  }
}

for (const tab of tabs) {
  element("tab-" + tab).addEventListener("click", () => showTab(tab));
}
element("tabs").addEventListener("keydown", (event) => {
  const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  if (step) {
    const now = tabs.findIndex((tab) => !element(tab + "-pane").hidden);
    const next = tabs[(now + step + tabs.length) % tabs.length];
    showTab(next);
    element("tab-" + next).focus();
    event.stopPropagation();
    event.preventDefault();
  }
});

const darkMedia = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : darkMedia.matches;
}

function showTheme() {
  element("theme-name").textContent = isDark() ? "Dark" : "Light";
  drawTimeline();
  tell("theme");
}

function switchTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  showTheme();
}

function showHelp() {
  const keys = element("keys");
  keys.hidden = !keys.hidden;
  element("help").setAttribute("aria-expanded", String(!keys.hidden));
}

element("theme").addEventListener("click", switchTheme);
element("help").addEventListener("click", showHelp);
darkMedia.addEventListener("change", showTheme);
window.addEventListener("resize", drawTimeline);
window.addEventListener("beforeprint", () => {
  for (const tab of tabs) {
    element(tab + "-pane").hidden = false;
  }
  showFindings(true);
  tell("print");
  lists.forEach((list) => list.print());
});
window.addEventListener("afterprint", () => showTab(chosenTab));

// --- Keys

element("value").addEventListener("change", () => {
  const name = element("value").value.trim();
  select(view.fn.byName.get(name.startsWith("%") ? name : "%" + name) ?? null);
});

const keys = {
  "ArrowLeft": actions.previous,
  "ArrowRight": actions.next,
  "shift+ArrowLeft": actions["previous-change"],
  "shift+ArrowRight": actions["next-change"],
  "Home": () => goTo(0),
  "End": () => goTo(view.fn.events.length - 1),
  " ": actions.play,
  "n": () => seek(1, isOfValue),
  "p": () => seek(-1, isOfValue),
  "v": () => element("value").select(),
  "t": switchTheme,
  "f": () => showFindings(element("findings-pane").hidden),
  "[": () => goToStep(walk.step - 1),
  "]": () => goToStep(walk.step + 1),
  "/": () => {
    showMenu(true);
    element("search").select();
  },
  "?": showHelp,
  "Escape": () => {
    showMenu(false);
    select(null);
  },
};
tabs.forEach((tab, i) => {
  keys[String(i + 1)] = () => showTab(tab);
});

document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (event.ctrlKey || event.altKey || event.metaKey ||
      target.matches("input:not([type=range]):not([type=checkbox])")) {
    if (event.key === "Escape") {
      target.blur();
    }
    return;
  }
  if (target.id === "ml-function-list" &&
      (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    stepFunction(event.key === "ArrowUp" ? -1 : 1);
    event.preventDefault();
    return;
  }
  if (event.key === " " && target.matches("button, input")) {
    return;
  }
  const arrow = event.shiftKey && event.key.startsWith("Arrow");
  const action = keys[(arrow ? "shift+" : "") + event.key];
  if (action) {
    action();
    event.preventDefault();
  }
});

// --- Links: #function=NAME&event=NUMBER&value=NAME

let kept = "";

function functionKey(fn) {
  const same = index.functions.filter((other) => other.name === fn.name);
  return same.length === 1 ? fn.name : `${fn.name}:${fn.id}`;
}

function keepLink() {
  const link = new URLSearchParams();
  link.set("function", functionKey(view.fn));
  if (currentEvent()) {
    link.set("event", String(currentEvent().i));
  }
  if (view.value !== null) {
    link.set("value", view.name);
  }
  kept = "#" + link;
  history.replaceState(null, "", kept);
}

function followLink() {
  if (location.hash === kept && view.fn) {
    return;
  }
  const link = new URLSearchParams(location.hash.slice(1));
  const wanted = link.get("function");
  const event = link.has("event") ? Number(link.get("event")) : NaN;
  const value = link.get("value");
  const fn = index.functions.find((f) => functionKey(f) === wanted) ||
      index.functions.find((f) => f.name === wanted) ||
      index.functions.find((f) =>
        String(f.id) === document.documentElement.dataset.function) ||
      index.functions.find((f) => f.status !== "declaration") ||
      index.functions[0];
  const data = functionData(fn.id);
  openFunction(fn.id, data.position.get(event) ?? 0);
  if (value && data.byName.has(value)) {
    select(data.byName.get(value));
  }
}

// --- Start

element("path").textContent = index.path;
element("tool").textContent = index.tool;
drawFindings();
showFindings(told.findings.length > 0);
if (index.functions.length) {
  searchFunctions();
  showTab(document.documentElement.dataset.tab || "graph");
  followLink();
  functionList.reveal(Math.max(0,
      found.findIndex((fn) => fn.id === view.fn.id)));
  showTheme();
  window.addEventListener("hashchange", followLink);
} else {
  element("function").textContent = "No function";
  element("status").textContent = index.totals;
  showProblems(-1);
}
