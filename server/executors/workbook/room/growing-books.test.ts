/** Realistic workbooks, filled with more lines than they have. */
import { expect, it } from 'vitest';
import { PROJECT, QUOTE, TIMESHEET } from '#test/support/growing-books.ts';
import { growingBook } from '#test/support/growing-table.ts';
import { expectSameBook } from '#test/support/same-book.ts';
import { isFullSet } from '#test/support/test-set.ts';

const KINDS = Object.entries({ 'a quote': QUOTE, 'a timesheet': TIMESHEET, 'a project plan': PROJECT });
const COUNTS = isFullSet ? [3, 4, 11, 100, 10_000, 50_000] : [3, 4, 60];

it.each(KINDS.flatMap(([name, kind]) => COUNTS.map((count) => ({ name, kind, count }))))(
  '$name with $count lines is as if it had been made with them',
  async ({ kind, count }) => {
    const book = await growingBook(kind.make(2));
    const { outcome, log, model } = await book.run({
      [kind.input]: Array.from({ length: count }, (_, index) => kind.line(index)),
    });
    expect([outcome.status, log]).toEqual(['Succeeded', []]);
    await expectSameBook(model, kind.make(count));
  },
  300_000,
);
