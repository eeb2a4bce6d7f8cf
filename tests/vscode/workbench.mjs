// VS Code's own server and its workbench in headless Chromium, as a test sees
// them: start, open a file, read the editor, hover, run a command.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const quiet = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // A browser saves after a second by default.
  'files.autoSave': 'off',
  'editor.minimap.enabled': false,
  'editor.inlayHints.enabled': 'on',
  'editor.hover.delay': 100,
  'editor.hover.sticky': false,
};

/** Starts the server with the packaged extensions installed. */
export async function startServer({ vscode, root, packages, settings, log }) {
  const data = path.join(root, 'data');
  // In a remote window a setting of the machine counts in the machine's file only;
  // in the user's it counts or not as the extension's manifest is read late or early.
  const files = ['User', 'Machine'].map((scope) => path.join(data, 'data', scope, 'settings.json'));
  for (const file of files) fs.mkdirSync(path.dirname(file), { recursive: true });
  const write = (more) => {
    const text = JSON.stringify({ ...quiet, ...settings, ...more }, null, 2);
    for (const file of files) fs.writeFileSync(file, text);
  };
  write({});
  const main = path.join(vscode, 'out/server-main.js');
  const common = ['--server-data-dir', data, '--extensions-dir', path.join(root, 'extensions'), '--accept-server-license-terms'];
  for (const file of packages) {
    const installed = spawnSync(process.execPath, [main, '--install-extension', file, ...common], { encoding: 'utf8', timeout: 120000 });
    if (!/was successfully installed/.test(installed.stdout)) throw new Error(`${file} was not installed\n${installed.stdout}${installed.stderr}`);
  }

  const env = { ...process.env };
  for (const name of Object.keys(env)) if (/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|npm_)/.test(name)) delete env[name];
  // No marketplace, and sockets that go away with the folder.
  env.EXTENSIONS_GALLERY = '{"serviceUrl":""}';
  env.XDG_RUNTIME_DIR = root;
  const child = spawn(
    process.execPath,
    [main, '--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--telemetry-level', 'off', ...common],
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env },
  );
  const out = fs.createWriteStream(log);
  const port = await new Promise((done, fail) => {
    let text = '';
    const onData = (data) => {
      text += data;
      out.write(data);
      const found = /Extension host agent listening on (\d+)/.exec(text);
      if (found) done(Number(found[1]));
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.on('exit', (code) => fail(new Error(`VS Code's server ended with ${code}\n${text.slice(-2000)}`)));
    setTimeout(() => fail(new Error(`VS Code's server does not listen\n${text.slice(-2000)}`)), 60000).unref();
  });
  return {
    write,
    // Another authority than the page's would make the file a stranger.
    address: (folder, file) => {
      const open = JSON.stringify([['openFile', `vscode-remote://127.0.0.1:${port}${file}`]]);
      return `http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(open)}`;
    },
    async stop() {
      const gone = new Promise((done) => (child.exitCode !== null || child.signalCode ? done() : child.on('exit', done)));
      const signal = (name) => {
        try {
          process.kill(-child.pid, name);
        } catch {
          // It is gone.
        }
      };
      signal('SIGTERM');
      await Promise.race([gone, new Promise((done) => setTimeout(done, 3000))]);
      signal('SIGKILL');
    },
  };
}

const plain = (text) => text.replace(/[\u00a0\u00b7]/g, ' ').replace(/\u200b/g, '');

/** Waits until `probe` gives something that `wanted` takes; the last answer. */
export async function until(page, probe, wanted, timeout = 30000) {
  const end = Date.now() + timeout;
  for (;;) {
    const found = await probe().catch((error) => String(error));
    if (wanted(found) || Date.now() > end) return found;
    await page.waitForTimeout(100);
  }
}

export class Workbench {
  constructor(page, out) {
    this.page = page;
    this.out = out;
  }

  static async open(browser, address, out) {
    const context = await browser.newContext({ viewport: { width: 1500, height: 950 }, permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    const log = fs.createWriteStream(path.join(out, 'console.log'), { flags: 'a' });
    page.on('console', (message) => log.write(`${message.type()} ${message.text()}\n`));
    page.on('pageerror', (error) => log.write(`pageerror ${error}\n`));
    await page.goto(address);
    await page.waitForSelector('.monaco-workbench', { timeout: 60000 });
    return new Workbench(page, out);
  }

  close() {
    return this.page.context().close();
  }

  async shot(name) {
    await this.page.waitForTimeout(300);
    await this.page.screenshot({ path: path.join(this.out, `${name}.png`), animations: 'disabled' });
  }

  /** Lines of all editors, with their hints. */
  text() {
    return this.page.locator('.editor-instance .view-line').allInnerTexts().then((all) => plain(all.join('\n')));
  }

  /** The rendered line that contains `part`, with its hints. */
  async line(part, wanted = () => true, timeout = 30000) {
    const probe = async () => (await this.text()).split('\n').find((line) => line.includes(part)) ?? '';
    return until(this.page, probe, wanted, timeout);
  }

  /** Middle of `word` in the first line that contains `part`. */
  pointOf(part, word) {
    return this.page.evaluate(([part, word]) => {
      const norm = (text) => text.replace(/\u00a0/g, ' ');
      const line = [...document.querySelectorAll('.editor-instance .view-line')].find((one) => norm(one.textContent).includes(part));
      if (!line) return null;
      const at = norm(line.textContent).indexOf(word) + Math.floor(word.length / 2);
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node, seen = 0; (node = walker.nextNode()); seen += node.length)
        if (seen + node.length > at) {
          const range = document.createRange();
          range.setStart(node, at - seen);
          range.setEnd(node, at - seen + 1);
          const box = range.getBoundingClientRect();
          return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        }
      return null;
    }, [part, word]);
  }

  /** Again where the line moved meanwhile: lenses come late, and move all. */
  async click(part, word) {
    for (let tries = 0; tries < 6; ++tries) {
      const point = await this.pointOf(part, word);
      if (!point) throw new Error(`'${word}' is not on screen`);
      await this.page.mouse.click(point.x, point.y);
      await this.page.waitForTimeout(200);
      const now = await this.pointOf(part, word);
      if (now && Math.abs(now.x - point.x) < 3 && Math.abs(now.y - point.y) < 3) return;
    }
    throw new Error(`'${word}' does not stay where it is`);
  }

  async hover(part, word, wanted) {
    let text = '';
    for (let tries = 0; tries < 12; ++tries) {
      const point = await this.pointOf(part, word);
      if (point) {
        await this.page.mouse.move(point.x + 40, point.y + 250);
        await this.page.waitForTimeout(150);
        await this.page.mouse.move(point.x, point.y, { steps: 3 });
        const probe = async () => plain((await this.page.locator('.monaco-hover .hover-contents').allInnerTexts()).join('\n'));
        text = await until(this.page, probe, (found) => wanted.test(found), 1500);
        if (wanted.test(text)) return text;
      }
    }
    return text;
  }

  async command(title) {
    for (let tries = 0; tries < 4; ++tries) {
      await this.page.keyboard.press('F1');
      const input = this.page.locator('.quick-input-widget:visible input[type=text]');
      if (!(await input.waitFor({ timeout: 4000 }).then(() => true, () => false))) continue;
      await input.fill(`>${title}`);
      const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
      if (await row.waitFor({ timeout: 5000 }).then(() => true, () => false)) {
        await row.click();
        return;
      }
      await this.page.keyboard.press('Escape');
    }
    throw new Error(`there is no command '${title}'`);
  }

  /** Line of the cursor, also in an editor without the focus. */
  cursorLine() {
    return this.page.locator('.editor-instance .active-line-number').first().innerText({ timeout: 5000 });
  }

  status() {
    return this.page.locator('.statusbar-item', { hasText: 'memref-lens:' }).first().innerText({ timeout: 5000 }).then(plain);
  }

  notification(text) {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text }).first();
  }

  /** The text of a message; answered with a button of it, or closed. */
  async answer(text, button) {
    const message = this.notification(text);
    const words = await message.innerText({ timeout: 20000 }).catch((error) => error.message);
    if (button) await message.locator('.monaco-button', { hasText: button }).click();
    else {
      await message.hover();
      await message.locator('.codicon-notifications-clear').click();
    }
    return plain(words);
  }

  /** Gives a path to the dialog that asks for one. */
  /** Also of a file to open, for which `first` is what stands there. */
  async saveAs(file, first = /\w\.\w+$/) {
    const input = this.page.locator('.quick-input-widget:visible input[type=text]');
    await input.waitFor({ timeout: 10000 });
    // It writes a default once it has listed the folder.
    await until(this.page, () => input.inputValue(), (text) => first.test(text), 10000);
    await this.page.waitForTimeout(700);
    await input.fill(file);
    const taken = await until(this.page, () => input.inputValue(), (text) => text === file, 5000);
    if (taken !== file) throw new Error(`the dialog makes ${taken} of ${file}`);
    await this.page.waitForTimeout(300);
    await input.press('Enter');
    await this.page.locator('.quick-input-widget:visible').waitFor({ state: 'hidden', timeout: 10000 });
  }

  /** Every text that the status bar item has from now on. */
  async watchStatus() {
    await this.page.evaluate(() => {
      window.seenStatus = [];
      const look = () => {
        for (const item of document.querySelectorAll('.statusbar-item'))
          if (item.textContent.includes('memref-lens:') && window.seenStatus.at(-1) !== item.textContent) window.seenStatus.push(item.textContent);
      };
      new MutationObserver(look).observe(document.querySelector('.part.statusbar'), { subtree: true, childList: true, characterData: true, attributes: true });
      look();
    });
    return () => this.page.evaluate(() => window.seenStatus.map((text) => text.replace(/\u00a0/g, ' ')));
  }

  /** Per line of the editor, the styles of the bars beside it. */
  bars() {
    return this.page.evaluate(() => {
      const found = {};
      for (const row of document.querySelectorAll('.editor-instance .view-overlays > div'))
        for (const mark of row.querySelectorAll('.cdr')) {
          const style = getComputedStyle(mark);
          if (style.borderLeftWidth !== '2px') continue;
          const top = row.getBoundingClientRect().top;
          const number = [...document.querySelectorAll('.editor-instance .line-numbers')].find((one) => Math.abs(one.getBoundingClientRect().top - top) < 3);
          found[number?.textContent ?? '?'] = style.borderLeftStyle;
        }
      return found;
    });
  }

  /** The page in the CFG view. */
  webview() {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }
}
