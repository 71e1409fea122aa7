/** Takes pictures of screens for review, if the environment variable PICTURES names a folder. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expectStill } from './layout.ts';

const FOLDER = process.env['PICTURES'];
export const TAKES_PICTURES = FOLDER !== undefined;
/** A desktop, a tablet, a phone. */
const WIDTHS = [1440, 1024, 360];

export interface PictureOptions {
  /** True to include the parts that need scrolling, instead of only what the window shows first. */
  isWholePage?: boolean;
}

/** Takes a picture at the current width of the page. */
export async function photograph(
  page: Page,
  name: string,
  { isWholePage = false }: PictureOptions = {},
): Promise<void> {
  if (!FOLDER) return;
  const former = page.viewportSize();
  await standStill(page);
  if (isWholePage) await showWhole(page);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: isWholePage });
  if (former) await page.setViewportSize(former);
}

/** Takes pictures at the widths of several devices, in the current theme. */
export async function photographWidths(
  page: Page,
  name: string,
  theme: string,
  options: PictureOptions,
): Promise<void> {
  if (!FOLDER) return;
  const former = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await photograph(page, `${name}-${width}-${theme}`, options);
  }
  if (former) await page.setViewportSize(former);
}

/** Makes the window high enough that nothing scrolls: neither the page below the top bar nor a dialog. */
async function showWhole(page: Page): Promise<void> {
  const size = await page.evaluate(() => {
    const hidden = [...document.querySelectorAll('main, .bp6-overlay-scroll-container')].map(
      ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
    );
    return { width: window.innerWidth, height: window.innerHeight + Math.max(0, ...hidden) };
  });
  await page.setViewportSize(size);
  await standStill(page);
}

/** Animations caused by a change of the window start one frame later. */
async function standStill(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expectStill({ page });
}
