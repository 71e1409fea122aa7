/** Pictures of screens, for people to look at. They are taken where the environment variable PICTURES names a folder. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expectStill } from './layout.ts';

const FOLDER = process.env['PICTURES'];
export const TAKES_PICTURES = FOLDER !== undefined;
/** A desk, a tablet, a telephone. */
const WIDTHS = [1440, 1024, 360];

export interface PictureOptions {
  /** With what would have to be scrolled to, instead of what the window shows at first. */
  isWholePage?: boolean;
}

/** The page as wide as it is. */
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

/** The page at the widths of several devices, in the theme that it has already. */
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

/** Makes the window so high that nothing has to scroll in it: neither the page below the bar at the top nor a dialog. */
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

/** What a change of the window sets in motion begins a frame after it. */
async function standStill(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expectStill({ page });
}
