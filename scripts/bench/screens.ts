/**
 * Measures how long users wait for a screen: bytes of script and style, the first contentful paint and the screen's
 * heading. Uses a slow mobile network, a processor slowed down four times, and an empty cache. Compares with the same
 * screen on the network of the machine itself.
 */
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { CHROMIUM_ARGS, chromiumPath } from '../chromium.ts';
import { buildRenderer } from '../renderer-build.ts';
import { printMachine, summary } from './measure.ts';
import { startBenchPortal, type BenchPortal } from './portal.ts';
import { storeSession } from './store-session.ts';

/** The network that Lighthouse calls slow 4G: bytes per second and milliseconds. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_SLOWDOWN = 4;
const ROUNDS = 5;

interface Screen {
  name: string;
  path: string;
  heading: string;
  isSignedIn: boolean;
  /**
   * Kilobytes of script and style on the wire, and milliseconds until the first contentful paint. Null means no target.
   */
  targets: { kilobytes: number; paint: number | null };
}

interface Visit {
  bytes: number;
  paint: number;
  heading: number;
}

const screens = (activity: number): Screen[] => [
  { name: 'login', path: 'login', heading: 'Login', isSignedIn: false, targets: { kilobytes: 250, paint: null } },
  {
    name: 'activities',
    path: 'activities/',
    heading: 'Activities',
    isSignedIn: true,
    targets: { kilobytes: 280, paint: null },
  },
  {
    name: 'form of a run',
    path: `activities/run/${activity}/`,
    heading: 'Loan schedule',
    isSignedIn: true,
    targets: { kilobytes: 330, paint: 3000 },
  },
  {
    name: 'public form',
    path: `public/activities/run/${activity}/`,
    heading: 'Loan schedule',
    isSignedIn: false,
    targets: { kilobytes: 220, paint: null },
  },
];

/** Script and style bytes as sent over the wire, and the time of the first paint. */
const READ_TIMINGS = `(() => {
  const parts = performance.getEntriesByType('resource').filter(({ name }) => /\\.(js|css)(\\?|$)/.test(name));
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  return { bytes: parts.reduce((sum, part) => sum + part.encodedBodySize, 0), paint: paint ? paint.startTime : null };
})()`;

async function visit(browser: Browser, portal: BenchPortal, screen: Screen, isSlow: boolean): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    if (screen.isSignedIn) await page.addInitScript(storeSession, portal.headers.authorization.replace('Bearer ', ''));
    await slowDown(await context.newCDPSession(page), isSlow);
    const began = performance.now();
    await page.goto(`${portal.address}/${screen.path}`, { waitUntil: 'commit' });
    await page
      .getByRole('heading', { name: screen.heading })
      .or(page.getByRole('button', { name: screen.heading }))
      .first()
      .waitFor();
    const heading = performance.now() - began;
    return { ...(await readTimings(page)), heading };
  } finally {
    await context.close();
  }
}

async function readTimings(page: Page): Promise<{ bytes: number; paint: number }> {
  const { bytes, paint } = await page.evaluate<{ bytes: number; paint: number | null }>(READ_TIMINGS);
  if (paint === null) throw new Error('nothing was painted');
  return { bytes, paint };
}

async function slowDown(client: CDPSession, isSlow: boolean): Promise<void> {
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (!isSlow) return;
  await client.send('Network.emulateNetworkConditions', SLOW_4G);
  await client.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

async function measure(browser: Browser, portal: BenchPortal, screen: Screen): Promise<void> {
  const slow: Visit[] = [];
  const local: Visit[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    slow.push(await visit(browser, portal, screen, true));
    local.push(await visit(browser, portal, screen, false));
  }
  const median = (visits: Visit[], key: keyof Visit): number => summary(visits.map((each) => each[key])).median;
  const { kilobytes, paint } = screen.targets;
  const size = median(slow, 'bytes') / 1000;
  const verdict = (isMet: boolean): string => (isMet ? 'within' : 'ABOVE');
  const first = median(slow, 'paint');
  console.log(`${screen.name}
  script and style ${size.toFixed(0)} kB, ${verdict(size <= kilobytes)} the target of ${kilobytes}
  first paint ${first.toFixed(0)} ms${paint === null ? '' : `, ${verdict(first <= paint)} the target of ${paint}`}; on the local network ${median(local, 'paint').toFixed(0)} ms
  heading after ${median(slow, 'heading').toFixed(0)} ms; on the local network ${median(local, 'heading').toFixed(0)} ms\n`);
}

async function openToVisitors(portal: BenchPortal): Promise<number> {
  const id = await sampleActivity(portal);
  await portal.call('POST', `/api/rights/sk.RunActivity/internet/grant/Id/${id}`);
  return id;
}

async function sampleActivity({ database: { knex } }: BenchPortal): Promise<number> {
  const row = (await knex('Activities').where('Name', 'Loan schedule').first('Id')) as { Id: number } | undefined;
  if (!row) throw new Error('the sample is missing');
  return row.Id;
}

export async function benchScreens(): Promise<void> {
  const executablePath = chromiumPath({ install: false });
  if (!executablePath) return;
  printMachine();
  buildRenderer({ quiet: true });
  const portal = await startBenchPortal({ samples: true });
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    for (const screen of screens(await openToVisitors(portal))) await measure(browser, portal, screen);
  } finally {
    await browser.close();
    await portal.stop();
  }
}
