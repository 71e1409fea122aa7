/** Whether a page fits a narrow screen, and whether it stands still. */
import type { Page } from 'playwright-core';

/**
 * Waits until the page as a whole is no wider than `width` pixels, and gives the page its former size back, whatever came of it.
 * Popovers and charts take their new places a moment after the window has changed, so the width is a condition to wait for.
 */
export async function expectToFit({ page }: { page: Page }, width: number): Promise<void> {
  const former = page.viewportSize();
  await page.setViewportSize({ width, height: 900 });
  try {
    await page.waitForFunction((limit) => document.documentElement.scrollWidth <= limit, width);
  } catch (error) {
    throw new Error(`the page does not fit ${width} pixels: ${await widest(page)}`, { cause: error });
  } finally {
    if (former) await page.setViewportSize(former);
  }
}

/** The same of what scrolls by itself: the page below the bar at the top, and what lies over it. */
export async function expectPartsToFit({ page }: { page: Page }, width: number): Promise<void> {
  const former = page.viewportSize();
  await page.setViewportSize({ width, height: 900 });
  try {
    await page.waitForFunction(() =>
      [...document.querySelectorAll('main, .bp6-overlay-scroll-container')].every(
        ({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth,
      ),
    );
  } catch (error) {
    throw new Error(`a part of the page does not fit ${width} pixels: ${await widest(page)}`, { cause: error });
  } finally {
    if (former) await page.setViewportSize(former);
  }
}

/** Waits until what moves and comes to an end has come to it. */
export async function expectStill({ page }: { page: Page }): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  );
}

/** What sticks out furthest, to tell in the error. */
function widest(page: Page): Promise<string> {
  return page.evaluate(() => {
    const right = (element: Element): number => element.getBoundingClientRect().right;
    const all = [...document.querySelectorAll('body *')];
    const furthest = all.reduce((found, element) => (right(element) > right(found) ? element : found), document.body);
    return `${right(furthest)} at ${furthest.outerHTML.slice(0, 200)}`;
  });
}
