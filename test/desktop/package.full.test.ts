/**
 * The packages of the desktop client, built from the local runtime: their contents, the permissions of their Electron,
 * and that they start.
 */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDesktopInto } from '../../build/build-desktop.ts';
import { hasKeys, TEST_ELECTRON, whyNoElectron } from '../../scripts/electron-runtime.ts';
import { packageDesktop } from '../../build/package-desktop.ts';
import { until } from '../support/until.ts';
import { startScreen, USER } from './support/runtime.ts';

const missing = whyNoElectron();
const isRoot = process.getuid?.() === 0;
const hasRpm = existsSync('/usr/bin/rpmbuild');
/** Ends a build that hangs. The duration of a build depends on the machine. */
const BUILD_TIMEOUT_MS = 1_800_000;
const run = promisify(execFile);

describe.skipIf(missing !== '')('a package of the desktop client', () => {
  let work: string;
  let program: string;
  let output: string;
  let screen: Awaited<ReturnType<typeof startScreen>>;

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'runsheet-packages-'));
    chmodSync(work, 0o755);
    output = join(work, 'first');
    program = build('first', hasRpm ? ['deb', 'rpm'] : ['deb']);
    screen = await startScreen();
  }, BUILD_TIMEOUT_MS);
  afterAll(() => {
    screen?.process.kill();
    rmSync(work, { recursive: true, force: true });
  });

  function build(name: string, kinds: string[]): string {
    const app = buildDesktopInto(join(work, `${name}-app`));
    const electronDist = dirname(TEST_ELECTRON);
    return packageDesktop({ app, output: join(work, name), kinds, isCompressed: false, electronDist });
  }

  const asar = (folder: string): Buffer => readFileSync(join(folder, 'resources/app.asar'));

  test(
    'holds the built program in one file, byte by byte the same in two builds',
    { timeout: BUILD_TIMEOUT_MS },
    () => {
      const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
      const again = build('second', ['dir']);
      expect(sha256(asar(again))).toBe(sha256(asar(program)));
      rmSync(join(work, 'second'), { recursive: true });
      const files = filesOf(asar(program));
      expect(files).toEqual(
        expect.arrayContaining(['/main.cjs', '/preload.cjs', '/renderer/index.html', '/servers/licences.html']),
      );
      expect(files.filter((path) => /\.(ts|tsx|map|br|gz)$|\.test\./.test(path.replace(/\.d\.ts$/, '')))).toEqual([]);
      const others = files.filter(
        (path) => path.startsWith('/node_modules/') && !path.startsWith('/node_modules/@napi-rs/keyring'),
      );
      expect(others).toEqual([]);
      // Native code must be loaded from a real file.
      const native = readdirSync(join(program, 'resources/app.asar.unpacked'), { recursive: true, encoding: 'utf8' });
      expect(native.filter((path) => path.endsWith('.node'))).toHaveLength(1);
    },
  );

  test('has an Electron that is no Node, takes no options and no debugger, and loads its own archive alone', () => {
    expect(fusesOf(readFileSync(join(program, 'runsheet')))).toEqual({
      runAsNode: false,
      cookieEncryption: true,
      nodeOptions: false,
      nodeCliInspect: false,
      embeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
    });
  });

  interface Started {
    log: () => string;
    home: string;
    /** Resolves with the exit reason once it has ended. */
    ended: Promise<string>;
    stop: () => Promise<void>;
  }

  /** Creates the home folder of a user with these preferences. */
  function homeWith(preferences?: object): string {
    const home = mkdtempSync(join(work, 'home-'));
    mkdirSync(join(home, 'run'), { mode: 0o700 });
    if (preferences) choose(home, preferences);
    return home;
  }

  function choose(home: string, preferences: object): void {
    const folder = join(home, '.config/Runsheet');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'preferences.json'), JSON.stringify(preferences));
  }

  function start(args: string[], more: Record<string, string> = {}, home = homeWith()): Started {
    if (isRoot) execFileSync('chown', ['-R', `${USER}:${USER}`, home]);
    const env = { PATH: process.env['PATH'], HOME: home, DISPLAY: screen.display, XDG_RUNTIME_DIR: join(home, 'run') };
    const drop = isRoot ? ['setpriv', '--reuid', `${USER}`, '--regid', `${USER}`, '--clear-groups'] : ['env'];
    const all = [...drop.slice(1), join(program, 'runsheet'), ...args];
    const bus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
    const child = spawn(drop[0]!, all, { env: { ...env, ...bus, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const ended = once(child, 'exit').then(([code, signal]) => `ended with ${code ?? signal}`);
    const stop = async (): Promise<void> => {
      child.kill();
      await ended;
    };
    return { log: () => log, home, ended, stop };
  }

  /** Rejects with all output if the program ends before it is ready or is not ready in time. */
  async function untilReady({ log, home, ended }: Started): Promise<void> {
    let end = '';
    void ended.then((how) => (end = how));
    const isReady = (): boolean => existsSync(join(home, '.config/Runsheet/handoff.json'));
    await until('the file of a program that runs', () => isReady() || end !== '').catch(() => undefined);
    if (!isReady() || end !== '') throw new Error(`the program ${end || 'is not ready'}, and said: ${log()}`);
  }

  test.runIf(hasKeys())('starts, with its sandbox on, and shows its first page', async () => {
    const started = start([]);
    await untilReady(started);
    // The title is the heading, which the page's script has set.
    const shown = (): string[] => windowsNamed('Welcome to Runsheet', screen.display);
    await expect.poll(shown).toHaveLength(1);
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandOf(name).startsWith(program));
    expect(processes.length).toBeGreaterThan(2);
    expect(processes.filter((pid) => commandOf(pid).includes('--no-sandbox'))).toEqual([]);
    await started.stop();
  });

  test('an attacker who can set its environment gets no Node of it', async () => {
    const asNode = start(['--lang=en'], { ELECTRON_RUN_AS_NODE: '1' });
    const loaded = start([], { NODE_OPTIONS: `--inspect=0 --require=${join(work, 'none.cjs')}` });
    // Both run as the normal program.
    for (const started of [asNode, loaded]) await untilReady(started);
    expect(loaded.log()).not.toMatch(/Debugger listening|none\.cjs/);
    await Promise.all([asNode.stop(), loaded.stop()]);
  });

  test.each(['--remote-debugging-port=0', '-remote-debugging-port=0', '--remote-debugging-pipe', '--inspect=0'])(
    'does not start with %s, and says so',
    async (argument) => {
      const { log, home, ended } = start([argument, '--disable-gpu']);
      expect(await ended).toBe('ended with 1');
      expect(log()).toContain(`It was started with ${argument}, which this program does not allow`);
      expect(log()).not.toMatch(/DevTools listening|Debugger listening/);
      expect(existsSync(join(home, '.config/Runsheet/handoff.json'))).toBe(false);
    },
  );

  test.each(['--js-flags=--expose-gc', '--no-sandbox', '--user-data-dir=/tmp/elsewhere'])(
    'does not start with %s',
    async (argument) => {
      expect(await start([argument]).ended).toBe('ended with 1');
    },
  );

  test('starts at login where that was chosen, by an entry of the desktop that is gone once it was taken back', async () => {
    const chosen = { runMessages: 'all', keepInTray: false };
    const home = homeWith({ ...chosen, startAtLogin: true });
    const entry = join(home, '.config/autostart/runsheet.desktop');
    const first = start([], {}, home);
    await until('the entry', () => existsSync(entry) && readFileSync(entry, 'utf8').endsWith('Terminal=false\n'));
    expect(readFileSync(entry, 'utf8').split('\n')).toEqual(
      expect.arrayContaining(['[Desktop Entry]', 'Type=Application', `Exec="${join(program, 'runsheet')}"`]),
    );
    await untilReady(first);
    await first.stop();
    choose(home, { ...chosen, startAtLogin: false });
    const second = start([], {}, home);
    await until('its end', () => !existsSync(entry));
    await second.stop();
  });

  test('for Debian and Red Hat has the program, its entry of the menu, its links and the helper of its sandbox', async () => {
    const deb = join(output, 'runsheet_0.1.0_amd64.deb');
    const { stdout: listed } = await run('dpkg-deb', ['--contents', deb], { maxBuffer: 16 * 1024 * 1024 });
    expect(listed).toMatch(/^-rwsr-xr-x root\/root .*\.\/opt\/Runsheet\/chrome-sandbox$/m);
    expect(listed).toMatch(/^-rwxr-xr-x root\/root .*\.\/opt\/Runsheet\/runsheet$/m);
    expect(listed).toMatch(/\.\/usr\/bin\/runsheet -> \/opt\/Runsheet\/runsheet$/m);
    expect((await run('dpkg-deb', ['--field', deb, 'Depends'])).stdout).toContain('libgtk-3-0');
    const unpacked = join(work, 'unpacked');
    await run('dpkg-deb', ['--extract', deb, unpacked]);
    const entry = readFileSync(join(unpacked, 'usr/share/applications/runsheet.desktop'), 'utf8');
    expect(entry).toContain('MimeType=x-scheme-handler/runsheet;');
    expect(entry).toContain('Exec=/opt/Runsheet/runsheet %U');
    expect(asar(join(unpacked, 'opt/Runsheet')).equals(asar(program))).toBe(true);
    if (!hasRpm) return;
    const rpm = join(output, 'runsheet-0.1.0.x86_64.rpm');
    const { stdout: inRpm } = await run('rpm', ['--query', '--package', '--list', '--verbose', rpm], {
      maxBuffer: 16 * 1024 * 1024,
    });
    expect(inRpm).toMatch(/^-rwsr-xr-x .*\/opt\/Runsheet\/chrome-sandbox$/m);
    expect(inRpm).toMatch(/\/usr\/bin\/runsheet -> \/opt\/Runsheet\/runsheet$/m);
  });

  test('comes with a bill of what is in it, in CycloneDX', () => {
    const bill = JSON.parse(readFileSync(join(output, 'Runsheet-0.1.0.cdx.json'), 'utf8')) as {
      bomFormat: string;
      metadata: { component: { name: string } };
      components: { name: string; 'bom-ref': string }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'Runsheet']);
    const names = bill.components.map(({ name }) => name.replace(/^.*\//, ''));
    expect(names).toEqual(expect.arrayContaining(['electron', 'react', 'typebox', 'keyring', 'core']));
    expect(names).not.toContain('fastify');
    expect(names).not.toContain('vitest');
    const refs = new Set([...bill.components.map((one) => one['bom-ref']), 'runsheet-desktop']);
    expect(
      bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !refs.has(ref)),
    ).toEqual([]);
  });

  test('contains the license of all its components, with the text', () => {
    const bill = readFileSync(join(output, 'Runsheet-0.1.0.cdx.json'), 'utf8');
    const page = readFileSync(join(work, 'first-app/servers/licences.html'), 'utf8');
    for (const { name, version } of (JSON.parse(bill) as { components: { name: string; version: string }[] })
      .components) {
      if (name !== 'electron') expect(page).toContain(`</strong> ${version}`);
    }
    expect(page).toContain('<strong>react</strong>');
    expect(page).toContain('Permission is hereby granted');
    expect(page).not.toContain('<script');
    for (const name of ['LICENSE.electron.txt', 'LICENSES.chromium.html'])
      expect(existsSync(join(program, name))).toBe(true);
  });
});

/** Returns the ids of visible windows with this title. */
function windowsNamed(title: string, display: string): string[] {
  const env = { PATH: process.env['PATH'], DISPLAY: display };
  const { stdout } = spawnSync('xdotool', ['search', '--onlyvisible', '--name', title], { env, encoding: 'utf8' });
  return stdout.split('\n').filter((id) => id !== '');
}

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

/** Source: the format of an asar archive: a JSON header after four numbers. */
function filesOf(archive: Buffer): string[] {
  interface Entry {
    files?: Record<string, Entry>;
  }
  const { files } = JSON.parse(archive.subarray(16, 16 + archive.readUInt32LE(12)).toString()) as Entry;
  const walk = (entries: Record<string, Entry>, at: string): string[] =>
    Object.entries(entries).flatMap(([name, entry]) =>
      entry.files ? walk(entry.files, `${at}/${name}`) : [`${at}/${name}`],
    );
  return walk(files ?? {}, '');
}

const FUSES = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptions',
  'nodeCliInspect',
  'embeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
];

/**
 * Source: Electron's documentation of fuses: a sentinel in the binary, then version, length, and a digit for each fuse.
 */
function fusesOf(binary: Buffer): Record<string, boolean> {
  const sentinel = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX');
  const at = binary.indexOf(sentinel) + sentinel.length;
  expect([binary.indexOf(sentinel) > 0, binary[at]]).toEqual([true, 1]);
  return Object.fromEntries(FUSES.map((name, index) => [name, binary[at + 2 + index] === '1'.charCodeAt(0)]));
}
