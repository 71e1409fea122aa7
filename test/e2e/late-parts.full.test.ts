/**
 * On a slow network, parts of a page arrive one after another. Parts already shown must not move away from the pointer.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

/**
 * Smallest noticeable layout shift, as a fraction of the window. An additional line of text at the end of the window
 * causes less.
 */
const FELT = 0.012;

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  await browser.page.addInitScript(recordShifts);
  let count = 0;
  // Different delays make parts and responses arrive in another order than requested.
  await browser.context.route(/\/api\/(?!events)|\.js$/, async (route) => {
    count += 1;
    await wait(60 + (count % 4) * 90);
    await route.continue().catch(() => undefined);
  });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

/** Runs in the page before any other script. */
function recordShifts(): void {
  const shifts: string[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: { node?: Node }[] })[]) {
      const moved = entry.sources.map(({ node }) => (node?.textContent ?? '').slice(0, 40));
      shifts.push(`${entry.value.toFixed(3)} ${moved.join(' | ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

const felt = (): Promise<string[]> =>
  browser.page.evaluate(
    (threshold) =>
      (window as unknown as { shifts: string[] }).shifts.filter((shift) => Number.parseFloat(shift) > threshold),
    FELT,
  );

test.each([
  ['the form of a run', '/activities/run/3/', ['Try', 'Input sets', 'Undo']],
  ['the page of an activity', '/activities/3/', ['Share', 'Edit the alerts', 'Edit the triggers']],
  ['the page of a new activity', '/activities/new/', ['Template workbook', 'Download the sample Sales commission']],
])('%s stands still while the rest of it comes', async (_name, path, buttons) => {
  for (const width of [1280, 360]) {
    await browser.page.setViewportSize({ width, height: 900 });
    await browser.page.goto(portal.address + path);
    for (const name of buttons)
      await browser.page.getByRole('button', { name }).or(browser.page.getByRole('link', { name })).first().waitFor();
    expect(await felt(), `at ${width} pixels`).toEqual([]);
  }
});
