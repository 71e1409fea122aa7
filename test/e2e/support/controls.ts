/** Helpers for controls whose own element cannot be clicked. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '#test/support/until.ts';

/**
 * Ticks or unticks a checkbox. Blueprint hides the box behind a drawn one; therefore this clicks the label, once
 * nothing covers it (such as a closing dialog).
 */
export async function tick(box: Locator, isTicked = true): Promise<void> {
  await box.locator('xpath=ancestor::label').click();
  await until(`the box is ${isTicked ? '' : 'not '}ticked`, async () => (await box.isChecked()) === isTicked);
}

/** Finds a run's outcome in the text above its results; a message and the log may show the same text for a while. */
export const outcome = (page: Page, text: string): Locator =>
  page.locator('.rs-run-outcome').getByText(text, { exact: true });

/** Checks the note read with a field: its error or its helper text. */
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
