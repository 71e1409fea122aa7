/**
 * Measures the desktop client on a real Electron: the time until a window shows the list from its cache while the
 * server is unreachable, the memory of all its processes with one window, and the time of a call through the client
 * compared with the same call of a page loaded from the server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createMachine, processesOf, type Client, type Machine, type Running } from '#test/desktop/support/runtime.ts';
import { wayTo, type Way } from '#test/desktop/support/way.ts';
import { until } from '#test/support/until.ts';
import { CHROMIUM_ARGS, chromiumPath } from '../chromium.ts';
import { hasKeychain, whyNoElectron } from '../electron-runtime.ts';
import { devtoolsPort, DEVTOOLS_ARGS, evaluateIn } from './devtools.ts';
import { writeBrowserProgram, writeEmptyProgram } from './empty-program.ts';
import { percentile, printMachine, summary } from './measure.ts';
import { BENCH_ADMINISTRATOR, startBenchPortal } from './portal.ts';

const STARTS = 5;
const ROUNDS = 10;
const CALLS = 30;
const TARGETS = { shownMs: 1500, memoryMB: 250, addedMs: 3 };
const CALL = 'api/activities';
const APP = 'runsheet://app/';
const SETTLED_MS = 3000;
const IDLE_MS = 40_000;
/** Without a GPU, Chromium would start the GPU process twice, which does not happen on users' computers. */
const WITHOUT_GPU = existsSync('/dev/dri') ? [] : ['--disable-gpu'];

const verdict = (value: number, target: number): string =>
  `${value <= target ? 'within' : 'ABOVE'} the target of ${target}`;

async function addServer(client: Client, address: string): Promise<void> {
  const servers = await client.window('servers');
  await servers.getByLabel('Address').fill(address);
  await servers.getByRole('button', { name: 'Add' }).click();
  const page = await client.window('app');
  await page.getByLabel('Username').fill(BENCH_ADMINISTRATOR.userName);
  await page.getByLabel('Password', { exact: true }).fill(BENCH_ADMINISTRATOR.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await listOf(page);
}

const LIST_TEXT = 'Loan schedule';
const listOf = (page: Page): Promise<void> => page.getByText(LIST_TEXT).first().waitFor();

/** Records when the list was drawn, in milliseconds since 1970. */
const NOTES_WHEN_SHOWN = `
  {
    const watcher = new MutationObserver(() => {
      if (!document.body?.textContent.includes('${LIST_TEXT}')) return;
      watcher.disconnect();
      requestAnimationFrame(() => setTimeout(() => {
        globalThis.shownAt = Math.round(performance.timeOrigin + performance.now());
      }));
    });
    watcher.observe(document, { childList: true, subtree: true, characterData: true });
  }
`;

/**
 * Starts the program as users do, and waits until its window shows the list. Returns it with the milliseconds since its
 * process started.
 */
async function startAndShow(
  machine: Machine,
  page = APP,
): Promise<{ running: Running; port: number; milliseconds: number }> {
  const running = machine.run({ keychain: true, args: [...DEVTOOLS_ARGS, ...WITHOUT_GPU] });
  const port = await devtoolsPort(() => running.log());
  const shown = await until('the list', () => shownAt(port, page), 60_000);
  return { running, port, milliseconds: shown - running.began() };
}

/** Polls rarely, because each query takes time from the page. */
async function shownAt(port: number, page: string): Promise<number> {
  await pause(200);
  return (await evaluateIn<number>(port, page, 'globalThis.shownAt ?? 0')) ?? 0;
}

/** Alternates with a program that does nothing. */
async function benchStarts(machine: Machine): Promise<void> {
  const [ours, others]: [number[], number[]] = [[], []];
  await withEmptyProgram(async (peer) => {
    // The first start of a program creates its profile and is not counted.
    for (let round = -1; round < STARTS; round += 1) {
      const other = await timeOfStart(peer, 'file://');
      const own = await timeOfStart(machine, APP);
      if (round < 0) continue;
      others.push(other);
      ours.push(own);
    }
  });
  const [{ median, min, max }, bare] = [summary(ours), summary(others)];
  console.log(`from the start of the process to the list, while the server is unreachable
  ${median.toFixed(0)} ms (${min.toFixed(0)} to ${max.toFixed(0)}), ${verdict(median, TARGETS.shownMs)}
  a program with a page of one line on the same Electron ${bare.median.toFixed(0)} ms; ${(median / bare.median).toFixed(2)} times as long\n`);
}

async function timeOfStart(machine: Machine, page: string): Promise<number> {
  const { running, milliseconds } = await startAndShow(machine, page);
  await running.stop();
  return milliseconds;
}

/**
 * Returns the megabytes of the program's processes by kind of process. Shared pages count proportionally. Source: PSS
 * in proc_pid_smaps_rollup(5).
 */
function memoryOf(root: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const { pid, kind } of processesOf(root)) {
    const kibibytes = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    found.set(kind, (found.get(kind) ?? 0) + (kibibytes * 1024) / 1e6);
  }
  return found;
}

const sumOf = (memory: Map<string, number>): number => [...memory.values()].reduce((sum, each) => sum + each, 0);

interface Memories {
  /** After the page is shown and memory use no longer changes. */
  shown: Map<string, number>;
  /** After V8 has released the memory of the start, which it does after half a minute of idle time. */
  idle: Map<string, number>;
}

async function memoriesOf(machine: Machine, page = APP): Promise<Memories> {
  const { running } = await startAndShow(machine, page);
  let [before, shown] = [Number.POSITIVE_INFINITY, memoryOf(running.pid)];
  for (let attempt = 0; attempt < 10 && Math.abs(sumOf(shown) - before) > 2; attempt += 1) {
    before = sumOf(shown);
    await pause(3000);
    shown = memoryOf(running.pid);
  }
  await pause(IDLE_MS);
  const idle = memoryOf(running.pid);
  await running.stop();
  return { shown, idle };
}

async function benchMemory(machine: Machine): Promise<void> {
  const { shown, idle } = await memoriesOf(machine);
  const bare = await withEmptyProgram(async (peer) => {
    // The first start creates the profile, which needs additional memory.
    await timeOfStart(peer, 'file://');
    return memoriesOf(peer, 'file://');
  });
  const total = sumOf(shown);
  console.log(`memory with one window
  ${total.toFixed(0)} MB (${partsOf(shown)}), ${verdict(total, TARGETS.memoryMB)}; ${sumOf(idle).toFixed(0)} MB after ${IDLE_MS / 1000} s without activity
  a program with a page of one line on the same Electron ${sumOf(bare.shown).toFixed(0)} MB (${partsOf(bare.shown)}), ${sumOf(bare.idle).toFixed(0)} MB after that time\n`);
}

const partsOf = (memory: Map<string, number>): string =>
  [...memory].map(([kind, megabytes]) => `${kind} ${megabytes.toFixed(0)}`).join(', ');

async function withEmptyProgram<T>(work: (peer: Machine) => Promise<T>): Promise<T> {
  const app = await writeEmptyProgram(LIST_TEXT);
  const peer = await createMachine({ app, pageScript: NOTES_WHEN_SHOWN });
  try {
    return await work(peer);
  } finally {
    await peer.remove();
    await rm(app, { recursive: true, force: true });
  }
}

/**
 * Returns the milliseconds of each call that the page makes, one after another, including reading the response. @param
 * path a JavaScript expression
 */
const callsOf = async (port: number, page: string, path: string): Promise<number[]> =>
  (await evaluateIn<number[]>(
    port,
    page,
    `(async () => {
      const { token } = JSON.parse(localStorage.getItem('runsheet.session'));
      const times = [];
      for (let call = 0; call < ${CALLS}; call += 1) {
        const began = performance.now();
        const answer = await fetch(${path}, { headers: { authorization: 'Bearer ' + token } });
        await answer.text();
        if (!answer.ok) throw new Error('answered ' + answer.status);
        times.push(performance.now() - began);
      }
      return times;
    })()`,
  )) ?? [];

interface Peer {
  name: string;
  /** Port of its DevTools. */
  port: number;
  close(): Promise<void>;
}

/** Opens the browser of this machine at the login page of the same portal. */
async function openBrowser(executablePath: string, address: string): Promise<Peer> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-bench-'));
  const args = [...CHROMIUM_ARGS, `--user-data-dir=${folder}`, ...DEVTOOLS_ARGS, `${address}login`];
  const browser = spawn(executablePath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  browser.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const port = await devtoolsPort(() => log);
  const close = async (): Promise<void> => {
    const ended = once(browser, 'exit');
    browser.kill();
    await ended;
    // Some of the browser's processes end after the main one.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  return { name: 'a browser of this machine', port, close };
}

/**
 * Opens the same page on the client's Electron. The additional time of the client's calls is the time that its main
 * process takes.
 */
async function openWindow(address: string): Promise<Peer> {
  const app = await writeBrowserProgram(`${address}login`);
  const machine = await createMachine({ app });
  const running = machine.run({ keychain: true, args: [...DEVTOOLS_ARGS, ...WITHOUT_GPU] });
  const port = await devtoolsPort(() => running.log());
  const close = async (): Promise<void> => {
    await running.stop();
    await machine.remove();
    await rm(app, { recursive: true, force: true });
  };
  return { name: 'a page of the server on the same Electron', port, close };
}

async function signIn({ port }: Peer, address: string, token: string): Promise<void> {
  const session = JSON.stringify(JSON.stringify({ token }));
  const store = `location.protocol === 'http:' && document.readyState === 'complete' && (localStorage.setItem('runsheet.session', ${session}), true)`;
  await until('the page of the browser', () => evaluateIn<boolean>(port, address, store), 60_000);
}

/** No automation tool is attached to any of these pages. */
async function benchCalls(machine: Machine, executablePath: string, address: string, token: string): Promise<void> {
  const { running, port } = await startAndShow(machine);
  const peers = [await openWindow(address), await openBrowser(executablePath, address)];
  for (const peer of peers) await signIn(peer, address, token);
  // Waits until the startup work of all of them is over.
  await pause(SETTLED_MS);
  const ours: number[] = [];
  const others: number[][] = peers.map(() => []);
  for (let round = -2; round < ROUNDS; round += 1) {
    const mine = await callsOf(port, APP, `runsheet.addressOf('${CALL}')`);
    if (round >= 0) ours.push(...mine);
    for (const [index, peer] of peers.entries()) {
      const times = await callsOf(peer.port, address, `'/${CALL}'`);
      if (round >= 0) others[index]!.push(...times);
    }
  }
  console.log(`GET /${CALL} of a page\n  of the client ${lineOf(ours)}`);
  for (const [index, peer] of peers.entries()) {
    console.log(`  of ${peer.name} ${lineOf(others[index]!)}`);
    await peer.close();
  }
  const [same, other] = others.map((times) => percentile(ours, 50) - percentile(times, 50)) as [number, number];
  console.log(
    `  ${other.toFixed(1)} ms more than in that browser, ${verdict(other, TARGETS.addedMs)}; ${same.toFixed(1)} ms more than in the same Electron\n`,
  );
  await running.stop();
}

const lineOf = (times: number[]): string =>
  `${percentile(times, 50).toFixed(1)} ms (p95 ${percentile(times, 95).toFixed(1)})`;

export async function benchDesktop(): Promise<void> {
  const missing = whyNoElectron() || (hasKeychain() ? '' : 'no keychain');
  const executablePath = chromiumPath({ install: false });
  if (missing !== '' || !executablePath) {
    console.log(`skipped: the desktop client, ${missing || 'no Chromium'}\n`);
    return;
  }
  printMachine();
  const portal = await startBenchPortal({ samples: true });
  const machine = await createMachine({ pageScript: NOTES_WHEN_SHOWN });
  let way: Way | undefined;
  let client: Client | undefined;
  try {
    way = await wayTo(portal.address);
    client = await machine.start({ keychain: true });
    await addServer(client, way.address);
    await client.close();
    client = undefined;
    const token = portal.headers.authorization.replace('Bearer ', '');
    await benchCalls(machine, executablePath, `${way.address.replace(/\/$/, '')}/`, token);
    await benchMemory(machine);
    await way.cut();
    await benchStarts(machine);
  } finally {
    await client?.close();
    await way?.close();
    await machine.remove();
    await portal.stop();
  }
}
