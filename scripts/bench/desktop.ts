/**
 * The desktop client on a real Electron: how long until a window shows the list from what it keeps while its server is away, the memory of all
 * its processes with one window, and what a call through it takes beside the same call of a browser.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { takePageKey, withPageKey } from '#bridge/page-key.ts';
import { createMachine, type Client, type Machine } from '#test/desktop/support/runtime.ts';
import { wayTo, type Way } from '#test/desktop/support/way.ts';
import { CHROMIUM_ARGS, chromiumPath } from '../chromium.ts';
import { hasKeychain, whyNoElectron } from '../electron-runtime.ts';
import { percentile, printMachine, summary } from './measure.ts';
import { BENCH_ADMINISTRATOR, startBenchPortal } from './portal.ts';

const STARTS = 5;
const ROUNDS = 10;
const CALLS = 30;
const TARGETS = { shownMs: 1500, memoryMB: 250, addedMs: 3 };
const CALL = '/api/activities';

const verdict = (value: number, target: number): string =>
  `${value <= target ? 'within' : 'ABOVE'} the target of ${target}`;

async function addServer(client: Client, address: string): Promise<Page> {
  const servers = await client.window('servers');
  await servers.getByLabel('Address').fill(address);
  await servers.getByRole('button', { name: 'Add' }).click();
  const page = await client.window('app');
  await page.getByLabel('Username').fill(BENCH_ADMINISTRATOR.userName);
  await page.getByLabel('Password', { exact: true }).fill(BENCH_ADMINISTRATOR.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await listOf(page);
  return page;
}

const listOf = (page: Page): Promise<void> => page.getByText('Loan schedule').first().waitFor();

/** Milliseconds from the start of the process until its window shows the list; with what the driver of the window adds. */
async function benchStarts(machine: Machine): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const began = performance.now();
    const client = await machine.start({ keychain: true });
    await listOf(await client.window('app'));
    times.push(performance.now() - began);
    await client.close();
  }
  const { median, least, most } = summary(times);
  console.log(`from the start to the list, its server away
  ${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)}), ${verdict(median, TARGETS.shownMs)}\n`);
}

/** Megabytes of a process and all that it began: shared pages by their share. Source: PSS in proc_pid_smaps_rollup(5). */
function memoryOf(root: number): number {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const];
      } catch {
        return [];
      }
    });
  const family = new Set([root]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  const kilobytes = [...family].map((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const isElectron = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/runtime/electron');
    return isElectron ? Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) : 0;
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1000;
}

/** Milliseconds of each call that the page makes, one after another, with its answer read. */
const callsOf = (page: Page, url: string, token: string): Promise<number[]> =>
  page.evaluate(
    async ([path, bearer, calls]) => {
      const times: number[] = [];
      for (let call = 0; call < calls; call += 1) {
        const began = performance.now();
        const answer = await fetch(path, { headers: { authorization: `Bearer ${bearer}` } });
        await answer.text();
        if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
        times.push(performance.now() - began);
      }
      return times;
    },
    [url, token, CALLS] as const,
  );

/** What pages know of their session: of the client a handle, of a browser the token itself. */
const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const stored = localStorage.getItem('runsheet.session') ?? '{}';
    return (JSON.parse(stored) as { token: string }).token;
  });

/** By which the client knows calls of its own page, which begins anew. */
async function keyOf(page: Page): Promise<string> {
  const keyed = page.waitForRequest((request) => takePageKey(request.url()).key !== '');
  await page.reload();
  await listOf(page);
  return takePageKey((await keyed).url()).key;
}

async function benchCalls(desktop: Page, browser: Browser, address: string, token: string): Promise<void> {
  const context = await browser.newContext();
  const direct = await context.newPage();
  await direct.goto(`${address}/login`);
  const handle = await tokenOf(desktop);
  const own = withPageKey(CALL, await keyOf(desktop));
  const [ours, peer]: [number[], number[]] = [[], []];
  for (let round = -2; round < ROUNDS; round += 1) {
    const [mine, other] = [await callsOf(desktop, own, handle), await callsOf(direct, CALL, token)];
    if (round < 0) continue;
    ours.push(...mine);
    peer.push(...other);
  }
  const [mine, other] = [percentile(ours, 50), percentile(peer, 50)];
  console.log(`GET ${CALL} of a page
  by the client ${mine.toFixed(1)} ms (p95 ${percentile(ours, 95).toFixed(1)}), by a browser ${other.toFixed(1)} ms (p95 ${percentile(peer, 95).toFixed(1)})
  ${(mine - other).toFixed(1)} ms more, ${verdict(mine - other, TARGETS.addedMs)}\n`);
  await context.close();
}

export async function benchDesktop(): Promise<void> {
  const missing = whyNoElectron() || (hasKeychain() ? '' : 'no keychain');
  const executablePath = chromiumPath({ install: false });
  if (missing !== '' || !executablePath) {
    console.log(`skipped: the desktop client, ${missing || 'no Chromium'}\n`);
    return;
  }
  printMachine();
  const portal = await startBenchPortal({ samples: true });
  const machine = await createMachine();
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  let way: Way | undefined;
  let client: Client | undefined;
  try {
    way = await wayTo(portal.address);
    client = await machine.start({ keychain: true });
    const page = await addServer(client, way.address);
    await benchCalls(page, browser, way.address, portal.headers.authorization.replace('Bearer ', ''));
    const memory = memoryOf(client.app.process().pid!);
    console.log(`memory with one window\n  ${memory.toFixed(0)} MB, ${verdict(memory, TARGETS.memoryMB)}\n`);
    await client.close();
    client = undefined;
    await way.cut();
    way = undefined;
    await benchStarts(machine);
  } finally {
    await client?.close();
    await browser.close();
    await way?.cut();
    await machine.remove();
    await portal.stop();
  }
}
