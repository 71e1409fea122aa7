/** The desktop client as people have it: a real Electron with the built app in its place, on a screen of its own, as an ordinary user with the sandbox on. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { buildDesktop } from '../../../scripts/build-desktop.ts';
import { TEST_ELECTRON } from '../../../scripts/electron-runtime.ts';

export interface Machine {
  /** Starts the program; what it keeps stays for the next start. */
  start(options?: { keychain?: boolean; args?: string[] }): Promise<Client>;
  /** Runs a command as the person, on the bus of the program that was started with a keychain; answers what it prints. */
  onBus(command: string, ...args: string[]): string;
  downloads: string;
  /** Of the person whose program it is. */
  home: string;
  /** Ends the screen and removes everything. */
  remove(): Promise<void>;
}

export interface Client {
  app: ElectronApplication;
  /** What main has told of on its stderr. */
  log(): string;
  /** The newest window that shows a page of this host, loaded. */
  window(host: 'app' | 'servers'): Promise<Page>;
  /** Addresses that the system's browser was asked to open. */
  openedOutside(): Promise<string[]>;
  /** Starts the program once more, as a link of the system does. */
  startAgain(link: string): Promise<void>;
  /** Chooses an entry of the menu by its text. */
  menu(label: string): Promise<void>;
  close(): Promise<void>;
}

/** Nobody's, so that Chromium's sandbox works as for any user. */
export const USER = 65_534;

export async function createMachine(): Promise<Machine> {
  const built = process.env['RUNSHEET_TEST_DESKTOP'] ?? buildDesktop();
  // Beside the runtime, so that its files are linked rather than copied.
  const folder = await mkdtemp(join(dirname(dirname(TEST_ELECTRON)), 'runsheet-desktop-'));
  const [runtime, home] = [join(folder, 'runtime'), join(folder, 'home')];
  execFileSync('cp', ['-al', dirname(TEST_ELECTRON), runtime]);
  await cp(built, join(runtime, 'resources/app'), { recursive: true });
  await mkdir(join(home, 'Downloads'), { recursive: true });
  await mkdir(join(home, '.config'));
  await writeFile(join(home, '.config/user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');
  await mkdir(join(home, 'run'), { mode: 0o700 });
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${USER}:${USER}`, home]);
  await chmod(folder, 0o755);
  const screen = await startScreen();
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    DISPLAY: screen.display,
    XDG_RUNTIME_DIR: join(home, 'run'),
  };
  const scripts = { plain: join(folder, 'plain.sh'), keychain: join(folder, 'keychain.sh') };
  await writeScripts(scripts, join(runtime, 'electron'));
  return {
    downloads: join(home, 'Downloads'),
    home,
    onBus: (command, ...args) => {
      const DBUS_SESSION_BUS_ADDRESS = readFileSync(join(home, 'run/bus'), 'utf8').trim();
      const as = process.getuid?.() === 0 ? { uid: USER, gid: USER } : {};
      return execFileSync(command, args, { env: { ...env, DBUS_SESSION_BUS_ADDRESS }, encoding: 'utf8', ...as });
    },
    start: ({ keychain = false, args = [] } = {}) =>
      startClient(keychain ? scripts.keychain : scripts.plain, args, env),
    remove: async () => {
      screen.process.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A screen that nobody sees. It does not begin anew when its last program has ended: one that starts at that moment would find none. */
export async function startScreen(): Promise<{ display: string; process: ChildProcess }> {
  const args = ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp', '-ac', '-noreset'];
  const screen = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = (await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { display: `:${number.toString().trim()}`, process: screen };
}

async function writeScripts(
  { plain, keychain }: Record<'plain' | 'keychain', string>,
  electron: string,
): Promise<void> {
  const drop = process.getuid?.() === 0 ? `setpriv --reuid ${USER} --regid ${USER} --clear-groups ` : '';
  // Asked for before the daemon has its name, the bus would start a second one, which is locked.
  const ask =
    'dbus-send --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets';
  const named = `until ${ask} | grep -q true; do sleep 0.05; done`;
  const unlock = `echo "$DBUS_SESSION_BUS_ADDRESS" > "$XDG_RUNTIME_DIR/bus"; command -v dunst >/dev/null && { dunst >/dev/null 2>&1 & }; printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; ${named}; exec "$@"`;
  const texts = {
    [plain]: `export DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent\nexec ${drop}'${electron}' "$@"\n`,
    [keychain]: `unset DBUS_SESSION_BUS_ADDRESS\nexec ${drop}dbus-run-session -- sh -c '${unlock}' sh '${electron}' "$@"\n`,
  };
  for (const [path, text] of Object.entries(texts)) await writeFile(path, `#!/bin/sh\n${text}`, { mode: 0o755 });
}

async function startClient(executablePath: string, args: string[], env: Record<string, string>): Promise<Client> {
  const app = await _electron.launch({ executablePath, args, env, chromiumSandbox: true, timeout: 60_000 });
  let log = '';
  app.process().stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await app.context().addInitScript(POLYFILLS);
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { openedOutside: opened });
    shell.openExternal = async (url: string) => void opened.push(url);
  });
  return {
    app,
    log: () => log,
    window: (host) => windowOf(app, host),
    openedOutside: () => app.evaluate(() => (globalThis as unknown as { openedOutside: string[] }).openedOutside),
    startAgain: async (link) => {
      const again = spawn(executablePath, [...args, link], { env, stdio: 'ignore' });
      await once(again, 'close');
    },
    menu: (label) =>
      app.evaluate(({ Menu }, text) => {
        const entries = Menu.getApplicationMenu()!.items.flatMap(({ submenu }) => submenu?.items ?? []);
        entries.find((entry) => entry.label === text)!.click();
      }, label),
    close: () => app.close(),
  };
}

/** What the pages of today use and a runtime of 2023 lacks. */
const POLYFILLS = `
  Promise.withResolvers ??= function () {
    let resolve, reject;
    const promise = new Promise((onResolve, onReject) => { resolve = onResolve; reject = onReject; });
    return { promise, resolve, reject };
  };
  Map.groupBy ??= (items, keyOf) => {
    const groups = new Map();
    for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
    return groups;
  };
`;

async function windowOf(app: ElectronApplication, host: string): Promise<Page> {
  const find = (): Page | undefined =>
    app
      .windows()
      .filter((page) => page.url().startsWith(`runsheet://${host}/`))
      .pop();
  const end = Date.now() + 30_000;
  for (let page = find(); ; page = find()) {
    if (page) {
      page.setDefaultTimeout(15_000);
      await page.waitForLoadState();
      return page;
    }
    if (Date.now() > end)
      throw new Error(
        `no window shows ${host}: ${app
          .windows()
          .map((one) => one.url())
          .join(', ')}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
