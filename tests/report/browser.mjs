// Opens reports in headless Chromium and uses them as a person would: keys,
// clicks, links, both themes, two widths, paper. Called by run_browser.py.

import assert from "node:assert/strict";
import {createRequire} from "node:module";
import path from "node:path";

const settings = JSON.parse(process.argv[2]);
const {chromium} =
    createRequire(path.join(settings.node, "x.js"))("playwright-core");

const browser = await chromium.launch({
  executablePath: settings.chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update",
    "--disable-sync"],
});

/** A page with all that it says, asks for or breaks. */
async function open(name, {hash = "", width = 1280, theme = "light"} = {}) {
  const height = width > 1000 ? 800 : 1100;
  const page = await browser.newPage({viewport: {width, height},
    colorScheme: theme});
  page.faults = [];
  page.on("dialog", (dialog) => {
    page.faults.push("dialog " + dialog.message());
    dialog.dismiss();
  });
  page.on("console", (line) => page.faults.push("console " + line.text()));
  page.on("pageerror", (error) => page.faults.push("error " + error.message));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== settings.pages[name]) {
      page.faults.push("request " + request.url().slice(0, 80));
    }
  });
  await page.goto(settings.pages[name] + hash);
  return page;
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.close();
}

const count = (page) => page.locator("#ml-count").textContent();
const tabs = ["graph", "ownership", "lifetimes", "stages"];

async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
  }
}

/** Values that are lit in a pane, by their text. */
async function litIn(page, pane) {
  const lit = page.locator(`#ml-${pane} .lit`);
  return (await lit.allTextContents()).map((text) => text.trim());
}

async function assertHarmless(name) {
  const page = await open(name);
  for (let i = 0; i < 60; i++) {
    await press(page, i % 2 ? "ArrowRight" : String(1 + i / 2 % 4), "n");
  }
  await page.locator(".token").first().click();
  await page.locator("#ml-menu, #ml-help").last().click();
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => window.hostile), undefined);
  const found = await page.evaluate(() => ({
    scripts: document.querySelectorAll("script:not([type])").length,
    elements: document.querySelectorAll("img,iframe,object,embed,link").length,
    acting: [...document.querySelectorAll("*")].filter((node) =>
      [...node.attributes].some((a) => /^on|^(xlink:)?href$/.test(a.name) &&
        a.value !== "#ml-main")).length,
    title: document.title,
    text: document.body.innerText,
  }));
  assert.equal(found.scripts, 1);
  assert.equal(found.elements, 0);
  assert.equal(found.acting, 0);
  assert.ok(found.title.includes("</script><script>window.hostile=1"));
  assert.ok(found.text.includes("<img src=http://127.0.0.1:9/x onerror="));
  assert.ok(!/[\u202e\u2066]/.test(found.text), "text is turned around");
  await close(page);
}

const tests = {
  async "a hostile file stays text"() {
    await assertHarmless("hostile");
  },

  async "findings of a hostile file stay text"() {
    await assertHarmless("hostilePaths");
  },

  async "hostile names stay text"() {
    await assertHarmless("hostileNames");
  },

  async "all other pages are inert"() {
    const names = Object.keys(settings.inert);
    assert.ok(names.length >= 10, names.join());
    for (const name of names) {
      settings.pages[name] = settings.inert[name];
      const page = await open(name);
      await press(page, "ArrowRight", "n", "1", "2", "3", "4");
      const found = await page.evaluate(() => ({
        hostile: window.hostile,
        policy: document.querySelector(
            "meta[http-equiv=Content-Security-Policy]")?.content,
        isSvg: document.documentElement.localName === "svg",
        scripts: document.querySelectorAll("script:not([type])").length,
        elements: document.querySelectorAll(
            "img,iframe,object,embed,link,image,foreignObject,use,base").length,
        acting: [...document.querySelectorAll("*")].flatMap((node) =>
          [...node.attributes]).filter((one) => /^on/.test(one.name) ||
            (/^(xlink:)?href$|^(form)?action$|^src/.test(one.name) &&
             /^[a-z]+:|^\/\//i.test(one.value.trim()))).length,
        text: document.documentElement.textContent,
      }));
      assert.equal(found.hostile, undefined, name);
      assert.ok(found.isSvg || /^default-src 'none'/.test(found.policy), name);
      assert.ok(!/unsafe-inline|unsafe-eval|https?:/.test(
          (found.policy ?? "").replace(/style-src[^;]*/, "")), found.policy);
      assert.ok(found.scripts <= (found.isSvg ? 0 : 1), name);
      assert.equal(found.elements, 0, name);
      assert.equal(found.acting, 0, name);
      assert.ok(!/[\u202e\u2066]/.test(found.text), name);
      // The page says what it was given, or it would prove nothing.
      assert.ok(/window\.hostile/.test(found.text) || /index/.test(name), name);
      await close(page);
    }
  },

  async "an injected script is refused"() {
    const page = await open("conditional-clone");
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.hostile = 1";
      document.body.append(script);
      const image = document.createElement("img");
      image.src = "http://127.0.0.1:9/x.png";
      document.body.append(image);
    });
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => window.hostile), undefined);
    assert.ok(page.faults.some((fault) => /script-src/.test(fault)));
    assert.ok(page.faults.some((fault) => /img-src|default-src/.test(fault)));
    await page.close();
  },

  async "keys step through the events"() {
    const page = await open("conditional-clone");
    const total = Number((await count(page)).split("/")[1]);
    assert.ok(total > 20);
    const seen = new Set();
    for (let i = 1; i <= total; i++) {
      assert.equal(await count(page), `${i} / ${total}`);
      const why = await page.locator("#ml-why .sentence").textContent();
      assert.ok(why.length > 5);
      const row = page.locator("#ml-events [aria-selected=true] .text");
      assert.equal(await row.textContent(), why);
      seen.add(why);
      await press(page, "ArrowRight");
    }
    assert.ok(seen.size > total / 2);
    assert.equal(await count(page), `${total} / ${total}`);
    await press(page, "Home");
    assert.equal(await count(page), `1 / ${total}`);
    await press(page, "End", "Shift+ArrowLeft");
    const changed = page.locator("#ml-events .change[aria-selected=true]");
    assert.equal(await changed.count(), 1);
    await press(page, "Home", " ");
    await page.waitForTimeout(1700);
    await press(page, " ");
    const at = parseInt(await count(page));
    assert.ok(at > 1 && at < 5, `played to ${at}`);
    await close(page);
  },

  async "a value lights up in every pane and stage"() {
    const page = await open("conditional-clone");
    await press(page, "v");
    await page.keyboard.type("%fresh");
    await press(page, "Enter", "Escape", "End");
    await page.locator("#ml-value").fill("%fresh");
    await page.locator("#ml-value").press("Enter");
    await page.evaluate(() => document.activeElement.blur());
    assert.match(await page.locator("#ml-fate").textContent(), /^%fresh: memref/);
    assert.ok((await litIn(page, "source")).length >= 2);
    for (const pane of tabs.slice(0, 3)) {
      await press(page, String(1 + tabs.indexOf(pane)));
      const lit = await litIn(page, pane);
      assert.ok(lit.length >= 1, pane);
      assert.ok(lit.some((text) => text.includes("%fresh")), pane);
    }
    await press(page, "4");
    await page.locator("[data-mode=whole]").click();
    const stages = await page.locator("#ml-stage-strip button").count();
    assert.ok(stages >= 4);
    for (let i = 0; i < stages; i++) {
      await page.locator("#ml-stage-strip button").nth(i).click();
      const lit = await litIn(page, "stage");
      assert.ok(lit.length && lit.every((text) => text === "%fresh"), `${i}`);
    }
    const others = await page.locator("#ml-source .lit").allTextContents();
    assert.ok(others.every((text) => text === "%fresh"));
    await close(page);
  },

  async "a click on a chip of the graph selects its value and event"() {
    const page = await open("conditional-clone");
    const chip = page.locator("#ml-graph .chip[data-event]").first();
    const value = await chip.getAttribute("data-value");
    await chip.click();
    const lit = page.locator(`#ml-source .lit[data-value="${value}"]`);
    assert.ok(await lit.count());
    await close(page);
  },

  async "ownership at an event is that of the events so far"() {
    const page = await open("conditional-clone");
    await press(page, "2", "Home");
    const chips = () => page.locator("#ml-ownership .chip").count();
    const before = await chips();
    await press(page, "End");
    assert.ok(await chips() > before);
    await close(page);
  },

  async "stages show what they changed"() {
    const page = await open("conditional-clone");
    await press(page, "4");
    await page.locator("#ml-stage-strip button", {hasText: /^3 /}).click();
    assert.ok(await page.locator("#ml-stage .added").count());
    await page.locator("[data-mode=sides]").click();
    assert.ok(await page.locator("#ml-stage .sides .added").count());
    await close(page);
  },

  async "a link opens its event"() {
    const page = await open("conditional-clone");
    await press(page, ...Array(7).fill("ArrowRight"));
    const hash = await page.evaluate(() => location.hash);
    const shown = await count(page);
    const why = await page.locator("#ml-why .sentence").textContent();
    await close(page);
    const again = await open("conditional-clone", {hash});
    assert.equal(await count(again), shown);
    assert.equal(await again.locator("#ml-why .sentence").textContent(), why);
    await again.evaluate(() => {
      location.hash = "#function=nothing&event=x";
    });
    await close(again);
  },

  async "the search filters and opens functions"() {
    const page = await open("nested-regions");
    const all = await page.locator(".function").count();
    assert.ok(all >= 1);
    const name = await page.locator(".function .name").last().textContent();
    await press(page, "/");
    await page.keyboard.type(name);
    assert.equal(await page.locator(".function .name").first().textContent(),
        name);
    await press(page, "Enter");
    assert.equal(await page.locator("#ml-function").textContent(), name);
    await page.locator("#ml-search").fill("no such function");
    assert.equal(await page.locator(".function").count(), 0);
    await close(page);
  },

  async "a hostile file's aliases stay text"() {
    await assertHarmless("hostileAliases");
  },

  async "aliases are a matrix, with words for each cell"() {
    const page = await open("aliases");
    await press(page, "5");
    assert.ok(await page.locator("#ml-aliases-pane").isVisible());
    const marks = await page.locator("#ml-aliases tbody tr").evaluateAll(
        (rows) => rows.map((row) => [...row.cells].map((c) => c.textContent)));
    assert.deepEqual(marks.map((row) => row[0]), ["%p", "%q", "%a", "%x", "%y"]);
    assert.deepEqual(marks.map((row) => row.slice(1).join(" ").trim()),
        [" ? · = ?", "?  · ? =", "· ·  · ·", "= ? ·  ·", "? = · ·"]
            .map((row) => row.trim()));
    await page.locator("#ml-aliases [data-pair='3,4']").first().click();
    const told = page.locator("#ml-alias-told");
    assert.match(await told.textContent(), /%x and %y are never the same/);
    assert.match(await told.textContent(), /stated to be distinct objects/);
    await page.locator("#ml-aliases [data-memref='2']").click();
    assert.match(await told.textContent(), /%a does not alias %p/);
    await page.locator(".alias-accesses summary").click();
    assert.match(await page.locator(".alias-accesses").textContent(),
        /memref.load reads %p.*may touch what is touched by memref.store of %y/);
    await close(page);
    const without = await open("paths");
    assert.ok(!await without.locator("#ml-tab-aliases").isVisible());
    await close(without);
  },

  async "hostile names of tensors stay text"() {
    await assertHarmless("hostileTensors");
  },

  async "tensors are a picture, linked with the source"() {
    const page = await open("tensors");
    await press(page, "5");
    const pane = page.locator("#ml-tensors");
    assert.ok(await pane.isVisible());
    assert.equal(await pane.locator(".tensor-use[data-link=copy]").count(), 2);
    assert.equal(await pane.locator(".tensor-frame").count(), 1);
    // A chip is its value in the source, and a value of the source is its chip.
    await pane.locator(".tensor-chip > text", {hasText: "%row"}).click();
    assert.equal(await page.locator("#ml-value").inputValue(), "%row");
    const lit = await litIn(page, "source");
    assert.ok(lit.length && lit.every((name) => name === "%row"), lit.join());
    await page.locator("#ml-source .token", {hasText: "%zeros"}).first().click();
    assert.equal(await pane.locator(".tensor-chip.lit text").textContent(), "%zeros");
    assert.ok((await litIn(page, "graph")).some((name) => /%zeros/.test(name)),
        "the memref is not selected with its tensor");
    // What is allocated for it is the memref of the other panes.
    await pane.locator(".tensor-alloc").first().click();
    assert.match(await page.locator("#ml-value").inputValue(), /_buf$/);
    // A row is its line.
    await pane.locator(".tensor-row > text", {hasText: /^scf.for/}).click();
    assert.match(await page.locator("#ml-source .line.flash").textContent(),
        /scf\.for/);
    const ground = () => page.evaluate(() => getComputedStyle(
        document.querySelector("#ml-tensors .tensor-chip rect:last-of-type")).fill);
    const before = await ground();
    await page.locator("#ml-theme").click();
    assert.notEqual(await ground(), before);
    await close(page);
    const without = await open("paths");
    assert.ok(!await without.locator("#ml-tab-tensors").isVisible());
    await close(without);
  },

  async "memory opens on the plot of the largest peak"() {
    const page = await open("memory");
    assert.ok(await page.locator("#ml-memory-pane").isVisible());
    assert.equal(await page.locator("#ml-function").textContent(), "@model");
    assert.equal(await page.locator("#ml-memory-verdict").textContent(),
        "peak 1.5 MiB at 68:3");
    const where = () => page.locator("#ml-memory-where").textContent();
    assert.match(await where(), /^at the peak, 68:3: 2 buffers, 512 KiB1 MiB in @layers, called by func.call \(68:3\)$/);
    assert.match(await page.locator("#ml-memory-fills").textContent(),
        /^a call of @normalize 256 KiB +a call of @layers 256 KiB +$/);
    const rows = page.locator("#ml-memory-alive .event");
    assert.deepEqual(await rows.locator(".value").allTextContents(),
        ["%refined", "%narrow"]);
    assert.match(await rows.first().textContent(), /^256 KiB%refined.*in use until func.call \(68:3\)/);
    // A buffer is the value of the other panes.
    await rows.nth(1).locator(".value").click();
    assert.match(await page.locator("#ml-fate").textContent(), /^%narrow: /);
    // The keys go along the program, the mouse too.
    await page.locator("#ml-memory-plot").focus();
    await press(page, ...Array(30).fill("ArrowLeft"));
    assert.match(await where(), /^at \d+:\d+: 1 buffer, 256 KiB$/);
    await page.locator("#ml-memory-peak").click();
    assert.match(await where(), /^at the peak/);
    await close(page);
    const other = await open("conditional-clone");
    await press(other, "5");
    assert.ok(await other.locator("#ml-memory-pane").isVisible());
    await close(other);
  },

  async "6,000 buffers are zoomed and dragged, and the peak stays in sight"() {
    const page = await open("manyBuffers");
    assert.match(await page.locator("#ml-memory-verdict").textContent(),
        /^peak [\d.]+ MiB at /);
    const plot = page.locator("#ml-memory-plot");
    const top = () => plot.evaluate((canvas) => {
      // The highest row of pixels in which a curve is drawn.
      const pen = canvas.getContext("2d");
      const {width, height} = canvas;
      const {data} = pen.getImageData(0, 0, width, height);
      const left = Math.ceil(80 * window.devicePixelRatio);
      for (let y = 0; y < height; y += 1) {
        let marked = 0;
        for (let x = left; x < width; x += 1) {
          marked += data[4 * (y * width + x) + 3] > 200;
        }
        if (marked > 20) {
          return y;
        }
      }
      return -1;
    });
    assert.ok(await top() >= 0, "nothing is drawn");
    const box = await plot.boundingBox();
    // What a step draws is counted, not timed: a few marks for each column of pixels,
    // however many buffers there are.
    await page.evaluate(() => {
      window.drawn = 0;
      for (const name of ["fillRect", "fillText", "lineTo"]) {
        const draw = CanvasRenderingContext2D.prototype[name];
        CanvasRenderingContext2D.prototype[name] = function(...given) {
          window.drawn += 1;
          return draw.apply(this, given);
        };
      }
    });
    const steps = 20;
    for (let i = 0; i < steps; i += 1) {
      await page.mouse.move(box.x + 100 + i * 20, box.y + 60);
      await page.mouse.wheel(0, i < steps / 2 ? -100 : 100);
    }
    const drawn = await page.evaluate(() => window.drawn);
    console.log(`  zooming 6,000 buffers draws ${drawn} marks in ${steps} steps`);
    // A step may draw twice: for the pointer and for the wheel.
    assert.ok(drawn > 0 && drawn < 2 * steps * 9 * box.width,
        `${drawn} marks in ${steps} steps on ${box.width} columns`);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 60);
    await page.mouse.up();
    await page.locator("#ml-memory-all").click();
    await page.locator("#ml-memory-peak").click();
    assert.match(await page.locator("#ml-memory-where").textContent(),
        /^at the peak, .*: 6000 buffers/);
    assert.ok(await page.locator("#ml-memory-alive .event").count() < 200);
    await close(page);
  },

  async "a run stands in the source, on its graph, in tables and in memory"() {
    const page = await open("run");
    assert.ok(await page.locator("#ml-run-pane").isVisible());
    assert.equal(await page.locator("#ml-function").textContent(), "@main");
    const told = page.locator("#ml-run-told");
    assert.match(await told.locator(".verdict").textContent(),
        /^ran @main\(%n = 10, .*: 10 allocations, 7 deallocations, peak 128 B; leak$/);
    assert.match(await page.locator("#ml-run-graph").textContent(), /body\s+ran 10x/);
    const rows = () => page.locator("#ml-run-tables tr").evaluateAll((all) =>
      all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.ok(!await page.locator("#ml-run-tables").isVisible());
    // A fault leads to its function and line.
    await told.locator(".fault button").click();
    assert.equal(await page.locator("#ml-function").textContent(), "@leaves");
    assert.deepEqual(await rows(), [
      ["10x", "%buffer (5:3)", "32 B each, at most 4 at once, deallocated 7x, left 3x"],
      ["7x", "%buffer (11:3)", ""], ["10x", "%early (9:3)", "true 3x, false 7x"]]);
    const line = page.locator("#ml-source .line.flash");
    assert.equal(await line.locator(".number").textContent(), "5");
    assert.equal(await line.locator(".run-note").textContent(),
        "%buffer allocated 10x, 32 B each, at most 4 at once, deallocated 7x at 11:3, left 3x");
    assert.deepEqual(
        (await page.locator("#ml-source .run-note").allTextContents()).slice(1),
        ["%early true 3x, false 7x", "%buffer deallocated 7x"]);
    assert.match(await page.locator("#ml-run-graph").textContent(),
        /deallocated 7x, left 3x, leak/);
    await press(page, "/");
    await page.keyboard.type("aside");
    await press(page, "Enter");
    assert.equal(await page.locator("#ml-run-note").textContent(), "did not run");
    assert.ok(!await page.locator("#ml-run-graph").isVisible());
    await page.locator("#ml-search").fill("main");
    await page.locator("#ml-search").press("Enter");
    await page.locator("#ml-tab-memory").click();
    assert.match(await page.locator("#ml-memory-measured").textContent(),
        /^measured 128 B at %buffer \(5:3\), in one run: @main\(%n = 10, /);
    assert.equal(await page.locator("#ml-memory-run path.measured").count(), 1);
    const box = await page.locator("#ml-memory-run svg").boundingBox();
    const pane = await page.locator("#ml-memory-run").boundingBox();
    assert.ok(box.width <= pane.width, `${box.width} in ${pane.width}`);
    await close(page);
    for (const theme of ["light", "dark"]) {
      for (const width of [1280, 800]) {
        const shot = await open("run", {theme, width});
        const sizes = await shot.evaluate(() =>
          [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(sizes[0] <= sizes[1], `${theme} ${width} is too wide`);
        await shot.screenshot({path: path.join(settings.out,
            `run-${theme}-${width}.png`)});
        await close(shot);
      }
    }
    const without = await open("paths");
    assert.ok(!await without.locator("#ml-tab-run").isVisible());
    assert.equal(await without.locator(".run-note").count(), 0);
    await close(without);
  },

  async "findings are sorted by any column"() {
    const page = await open("paths");
    const column = (name) =>
      page.locator(`#ml-findings-table td.${name}`).allTextContents();
    assert.deepEqual(await column("rule"),
        ["leak", "free-in-input", "clone"]);
    const head = (name) => page.locator(`#ml-findings-table th[data-column=${name}]`);
    await head("line").click();
    assert.deepEqual(await column("line-number"), ["2", "7", "12"]);
    assert.equal(await head("line").getAttribute("aria-sort"), "ascending");
    await head("line").click();
    assert.deepEqual(await column("line-number"), ["12", "7", "2"]);
    await head("function").click();
    assert.deepEqual(await column("name"), ["@copies", "@leaks", "@leaks"]);
    assert.match(await page.locator("#ml-bounds").textContent(),
        /^Paths were tried of 2 programs/);
    const explored = await page.locator("#ml-explored li").allTextContents();
    assert.ok(explored.some((text) => /^@leaks: .*all 2 paths tried/.test(text)),
        explored.join());
    await close(page);
  },

  async "a click on a finding goes to its function, line and block"() {
    const page = await open("paths");
    const row = (rule) => page.locator("#ml-findings-table tbody tr",
        {hasText: rule});
    await press(page, "4");
    await row("clone").click();
    assert.equal(await page.locator("#ml-function").textContent(), "@copies");
    assert.ok(await page.locator("#ml-graph-pane").isVisible());
    await row("free-in-input").focus();
    await press(page, "Enter");
    assert.equal(await page.locator("#ml-function").textContent(), "@leaks");
    const line = page.locator("#ml-source .line.flash .number");
    assert.equal(await line.textContent(), "7");
    const here = page.locator("#ml-graph .node.here");
    assert.match(await here.first().textContent(), /\^free/);
    assert.ok((await page.locator("#ml-finding-notes .remedy").count()) >= 2);
    await close(page);
  },

  async "the steps of a path are walked, with their blocks"() {
    const page = await open("paths");
    await page.locator("#ml-findings-table tr", {hasText: "leak"}).first()
        .click();
    const lines = [], blocks = [], texts = [];
    const next = page.locator("#ml-path-next");
    while (await next.isEnabled()) {
      await next.click();
      lines.push(await page.locator("#ml-source .line.flash .number")
          .textContent());
      const here = page.locator("#ml-graph .node.here").first();
      blocks.push(/\^\w+/.exec(await here.textContent())[0]);
      texts.push(await page.locator("#ml-finding-notes [aria-current=step]")
          .textContent());
    }
    assert.deepEqual(lines, ["2", "5", "10"]);
    assert.deepEqual(blocks, ["^bb0", "^bb0", "^end"]);
    assert.match(texts[1], /%c is false, to \^end/);
    assert.equal(await page.locator("#ml-path-count").textContent(), "3 / 3");
    await press(page, "[");
    assert.equal(await page.locator("#ml-path-count").textContent(), "2 / 3");
    await press(page, "]");
    assert.equal(await page.locator("#ml-path-count").textContent(), "3 / 3");
    await press(page, "f");
    assert.ok(!await page.locator("#ml-findings-pane").isVisible());
    await close(page);
    for (const theme of ["light", "dark"]) {
      for (const width of [1280, 800]) {
        const shot = await open("paths", {theme, width});
        await shot.locator("#ml-findings-table tr", {hasText: "leak"}).first()
            .click();
        await press(shot, "]", "]");
        const sizes = await shot.evaluate(() =>
          [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(sizes[0] <= sizes[1], `${theme} ${width} is too wide`);
        await shot.screenshot({path: path.join(settings.out,
            `findings-${theme}-${width}.png`)});
        await close(shot);
      }
    }
  },

  async "a saved trace says that no path was tried"() {
    const page = await open("conditional-clone");
    assert.equal(await page.locator("#ml-bounds").textContent(),
        "No path of any function was tried.");
    await close(page);
  },

  async "a rejection says what to do"() {
    const page = await open("reject-loop");
    await press(page, "End");
    assert.ok(await page.locator("#ml-why .remedies li").count() ||
        await page.locator("#ml-problems").isVisible());
    await close(page);
  },

  async "both themes at two widths"() {
    for (const theme of ["light", "dark"]) {
      for (const width of [1280, 800]) {
        const page = await open("conditional-clone", {theme, width});
        await press(page, "End");
        const sizes = await page.evaluate(() =>
          [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(sizes[0] <= sizes[1], `${theme} ${width} is too wide`);
        const file = `report-${theme}-${width}.png`;
        await page.screenshot({path: path.join(settings.out, file)});
        const ground = () => page.evaluate(() =>
          getComputedStyle(document.body).backgroundColor);
        const before = await ground();
        await press(page, "t");
        assert.notEqual(await ground(), before);
        await close(page);
      }
    }
  },

  async "paper has every pane"() {
    const page = await open("conditional-clone", {theme: "dark"});
    const pdf = await page.pdf({path: path.join(settings.out, "report.pdf")});
    assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
    await page.emulateMedia({media: "print"});
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    for (const tab of tabs) {
      assert.ok(await page.locator(`#ml-${tab}-pane`).isVisible(), tab);
    }
    await close(page);
  },

  async "the largest function opens and steps"() {
    if (!settings.pages.largest) {
      return;
    }
    const page = await open("largest");
    await press(page, "End", "2", "3", "4", "1");
    assert.ok(await page.locator("div.line").count() < 1000);
    await close(page);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
