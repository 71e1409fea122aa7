/**
 * The desktop client as users have it: a real Electron with the built app, on its own screen, as an ordinary user with
 * the sandbox enabled.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { until } from '#test/support/until.ts';
import { buildDesktop } from '../../../build/build-desktop.ts';
import { TEST_ELECTRON } from '../../../scripts/electron-runtime.ts';

export interface Machine {
  /** Starts the program; its data remains for the next start. */
  start(options?: StartOptions): Promise<Client>;
  /** Starts the program as users do, without automation that takes time and memory. */
  run(options?: StartOptions): Running;
  /** Runs a command as the user, on the bus of the program started with a keychain; returns its output. */
  onBus(command: string, ...args: string[]): string;
  /** Presses keys such as 'ctrl+plus' in the visible window with this title; real key presses on its screen. */
  press(title: string, ...keys: string[]): void;
  downloads: string;
  /** The home folder of the program's user. */
  home: string;
  /** Closes the screen and removes everything. */
  remove(): Promise<void>;
}

export interface StartOptions {
  keychain?: boolean;
  args?: string[];
  /** The administrator's policy on this machine; requires root. */
  policy?: object;
}

export interface Running {
  /** The pid of the launcher script, or of the program itself. */
  pid: number;
  /** What main has written to stderr. */
  log(): string;
  /** When its own process started, in milliseconds since 1970. */
  began(): number;
  /** Ends it as the system does when the user logs out. */
  stop(): Promise<void>;
}

export interface Client {
  app: ElectronApplication;
  /** What main has written to stderr. */
  log(): string;
  /** Returns the newest window with a loaded page of this host. */
  window(host: 'app' | 'servers'): Promise<Page>;
  /** Addresses that the system's browser was requested to open. */
  openedOutside(): Promise<string[]>;
  /** Starts the program again, like a link of the system. */
  startAgain(link: string): Promise<void>;
  /** Chooses a menu entry by its text. */
  menu(label: string): Promise<void>;
  /** Sends SIGKILL. Resolves once the process is gone. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Running clients. */
export const openClients = new Set<Client>();

/** Without a graphics device, Chromium would start its GPU process twice. Pages use reduced motion. */
const CHROMIUM_ARGS = [...(existsSync('/dev/dri') ? [] : ['--disable-gpu']), '--force-prefers-reduced-motion'];

/** Messages remain until the test has seen them. */
const DUNST_SETTINGS = ['low', 'normal', 'critical'].map((level) => `[urgency_${level}]\ntimeout = 0\n`).join('');

/** The uid of an unprivileged user, for whom Chromium's sandbox works as usual. */
export const USER = 65_534;

/** @param pageScript runs in each page of the portal before its own scripts @param app the folder of another program */
export async function createMachine({ pageScript = '', app = '' } = {}): Promise<Machine> {
  const built = app || (process.env['RUNSHEET_TEST_DESKTOP'] ?? buildDesktop());
  // Next to the runtime, to link its files instead of copying them.
  const folder = await mkdtemp(join(dirname(dirname(TEST_ELECTRON)), 'runsheet-desktop-'));
  const [runtime, home] = [join(folder, 'runtime'), join(folder, 'home')];
  execFileSync('cp', ['-al', dirname(TEST_ELECTRON), runtime]);
  await cp(built, join(runtime, 'resources/app'), { recursive: true });
  await addScript(join(runtime, 'resources/app/renderer'), POLYFILLS + pageScript);
  await mkdir(join(home, 'Downloads'), { recursive: true });
  await mkdir(join(home, '.config'));
  await mkdir(join(home, '.config/dunst'));
  await writeFile(join(home, '.config/dunst/dunstrc'), DUNST_SETTINGS);
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
  const scriptFor = ({ keychain = false, policy }: StartOptions): string => {
    const script = keychain ? scripts.keychain : scripts.plain;
    return policy ? withPolicy(folder, script, policy) : script;
  };
  return {
    downloads: join(home, 'Downloads'),
    home,
    press: (title, ...keys) => {
      const window = ['search', '--sync', '--onlyvisible', '--name', title, 'windowfocus', '--sync'];
      execFileSync('xdotool', [...window, 'key', '--clearmodifiers', ...keys], { env });
    },
    onBus: (command, ...args) => {
      const DBUS_SESSION_BUS_ADDRESS = readFileSync(join(home, 'run/bus'), 'utf8').trim();
      const as = process.getuid?.() === 0 ? { uid: USER, gid: USER } : {};
      return execFileSync(command, args, { env: { ...env, DBUS_SESSION_BUS_ADDRESS }, encoding: 'utf8', ...as });
    },
    start: (options = {}) => startClient(scriptFor(options), [...CHROMIUM_ARGS, ...(options.args ?? [])], env),
    run: (options = {}) => runClient(scriptFor(options), options.args ?? [], env),
    remove: async () => {
      screen.process.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts an invisible screen. It does not reset when its last program has ended; a program starting at that moment
 * would find no screen.
 */
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
  // If the service were used before the daemon has its name, the bus would start a second, locked one.
  const ask =
    'dbus-send --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets';
  const named = `until ${ask} | grep -q true; do sleep 0.05; done`;
  const unlock = `echo "$DBUS_SESSION_BUS_ADDRESS" > "$XDG_RUNTIME_DIR/bus"; command -v dunst >/dev/null && { dunst >/dev/null 2>&1 & }; printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; ${named}; date +%s%3N > "$XDG_RUNTIME_DIR/began"; exec "$@"`;
  const texts = {
    [plain]: `date +%s%3N > "$XDG_RUNTIME_DIR/began"\nexport DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent\nexec ${drop}'${electron}' "$@"\n`,
    [keychain]: `unset DBUS_SESSION_BUS_ADDRESS\nexec ${drop}dbus-run-session -- sh -c '${unlock}' sh '${electron}' "$@"\n`,
  };
  for (const [path, text] of Object.entries(texts)) await writeFile(path, `#!/bin/sh\n${text}`, { mode: 0o755 });
}

async function startClient(executablePath: string, args: string[], env: Record<string, string>): Promise<Client> {
  const app = await _electron.launch({ executablePath, args, env, chromiumSandbox: true, timeout: 60_000 });
  app.context().setDefaultTimeout(60_000);
  let log = '';
  app.process().stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { openedOutside: opened });
    shell.openExternal = async (url: string) => void opened.push(url);
  });
  const client: Client = {
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
        const below = (menu: Electron.Menu): Electron.MenuItem[] =>
          menu.items.flatMap((item) => [item, ...(item.submenu ? below(item.submenu) : [])]);
        below(Menu.getApplicationMenu()!)
          .find((entry) => entry.label === text)!
          .click();
      }, label),
    kill: async () => {
      const program = app.process();
      const ended = once(program, 'close');
      for (const { pid, kind } of processesOf(program.pid!)) if (kind === 'main') process.kill(pid, 'SIGKILL');
      await ended;
    },
    close: async () => {
      // A page with an upload in progress asks before it closes, and nobody would answer. The program may have ended.
      await app.evaluate(({ dialog }) => void (dialog.showMessageBoxSync = (() => 1) as never)).catch(() => undefined);
      await app.close();
    },
  };
  openClients.add(client);
  app.once('close', () => openClients.delete(client));
  return client;
}

function runClient(executablePath: string, args: string[], env: Record<string, string>): Running {
  const child = spawn(executablePath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, 'exit');
  return {
    pid: child.pid!,
    log: () => log,
    began: () => Number(readFileSync(join(env['XDG_RUNTIME_DIR']!, 'began'), 'utf8')),
    stop: async () => {
      for (const { pid, kind } of processesOf(child.pid!)) if (kind === 'main') process.kill(pid, 'SIGTERM');
      await ended;
    },
  };
}

/** Returns the program's processes below a process, each with its kind. Source: proc(5). */
export function processesOf(root: number): { pid: number; kind: string }[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const stat = readOf(name, 'stat');
      return [Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const;
    });
  const family = new Set([root]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  return [...family].flatMap((pid) => {
    const command = readOf(String(pid), 'cmdline');
    if (!/^[^\0\s]*\/runtime\/electron(\0|\s|$)/.test(command)) return [];
    return [{ pid, kind: /--type=([a-z-]+)/.exec(command)?.[1] ?? 'main' }];
  });
}

/** Returns '' if the process is gone. */
function readOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** Creates a script that starts another one with this policy in /etc, visible only there. */
function withPolicy(folder: string, script: string, policy: object): string {
  const [etc, path] = [join(folder, 'etc'), join(folder, 'with-policy.sh')];
  rmSync(etc, { recursive: true, force: true });
  execFileSync('cp', ['-a', '/etc', etc]);
  mkdirSync(join(etc, 'runsheet'));
  writeFileSync(join(etc, 'runsheet/policy.json'), JSON.stringify(policy));
  const inside = `mount --bind '${etc}' /etc && exec '${script}' "$@"`;
  writeFileSync(path, `#!/bin/sh\nexec unshare --mount sh -c '${inside.replaceAll("'", `'"'"'`)}' sh "$@"\n`, {
    mode: 0o755,
  });
  return path;
}

async function addScript(renderer: string, text: string): Promise<void> {
  const page = join(renderer, 'index.html');
  const html = await readFile(page, 'utf8');
  await writeFile(join(renderer, 'before.js'), text);
  await writeFile(
    page,
    html.replace('<title>', () => '<script src="./before.js"></script><title>'),
  );
}

/** Features that current pages use and a runtime of 2023 lacks. */
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
  const isWanted = (page: Page): boolean => page.url().startsWith(`runsheet://${host}/`);
  const page = await until(`a window of ${host}`, () => app.windows().findLast(isWanted));
  await page.waitForLoadState();
  return page;
}
