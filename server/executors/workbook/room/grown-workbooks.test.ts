/** A workbook whose table grows in a run has the same cells as one created with that many rows. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bookOf, shapes } from '#test/support/growing-shapes.ts';
import { growingBook } from '#test/support/growing-table.ts';
import { expectSameBook } from '#test/support/same-book.ts';
import { rounds } from '#test/support/test-set.ts';

it('comes to the same workbook, whatever stands below its table', async () => {
  let grown = 0;
  await fc.assert(
    fc.asyncProperty(shapes, fc.integer({ min: 1, max: 30 }), async (shape, more) => {
      const rows = shape.rows + more;
      const book = await growingBook(bookOf(shape, shape.rows, false));
      const lines = Array.from({ length: rows }, (_, row) =>
        Array.from({ length: shape.width }, (__, index) =>
          index === 0 ? `item ${row}` : index === 1 ? row + 1 : null,
        ),
      );
      const { outcome, model, log } = await book.run({ T: lines });
      expect([outcome.status, log]).toEqual(['Succeeded', []]);
      // The table grows into free rows without moving anything.
      if (more <= shape.gap) return;
      grown += 1;
      // The merged cells reach one column further than the table, so whole rows move.
      await expectSameBook(model, bookOf(shape, rows, shape.isMerged));
    }),
    { numRuns: rounds(15, 100) },
  );
  expect(grown).toBeGreaterThan(5);
}, 600_000);
