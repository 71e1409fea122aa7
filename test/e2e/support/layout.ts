/** Checks that a page fits a narrow screen, and that nothing moves any more. */
import type { Page } from 'playwright-core';

/**
 * Waits until the page as a whole is at most `width` pixels wide, and restores its size in any case. It waits for the
 * width because popovers and charts are laid out slightly after a change of the window.
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

/** Does the same for parts with their own scrolling: the page below the top bar, and overlays. */
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

/** Waits until all finite animations have ended. */
export async function expectStill({ page }: { page: Page }): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  );
}

/** Returns the elements that stick out furthest, for the error message. */
function widest(page: Page): Promise<string> {
  return page.evaluate(() => {
    const right = (element: Element): number => element.getBoundingClientRect().right;
    const all = [...document.querySelectorAll('body *')];
    const furthest = all.reduce((found, element) => (right(element) > right(found) ? element : found), document.body);
    return `${right(furthest)} at ${furthest.outerHTML.slice(0, 200)}`;
  });
}
