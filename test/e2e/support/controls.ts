/** Controls whose own element cannot be clicked. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '#test/support/until.ts';

/**
 * Ticks a checkbox, or takes its tick off. Blueprint hides the box itself behind a drawing of it, so its label is what a person clicks:
 * once nothing lies above it any more, such as a dialog that is going.
 */
export async function tick(box: Locator, isTicked = true): Promise<void> {
  await box.locator('xpath=ancestor::label').click();
  await until(`the box is ${isTicked ? '' : 'not '}ticked`, async () => (await box.isChecked()) === isTicked);
}

/** How a run ended, in the words above its results: a message and the log may say the same for a while. */
export const outcome = (page: Page, text: string): Locator =>
  page.locator('.rs-run-outcome').getByText(text, { exact: true });

/** What is read with a field: its error, or its helper. */
export async function expectNote(field: Locator, text: string): Promise<void> {
  const note = (): Promise<string> =>
    field.evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' ')
        .trim(),
    );
  await expect.poll(note).toBe(text);
}
