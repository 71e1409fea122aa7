/** Hundreds of rows of each sample give the results of their runs. */
import { readFileSync } from 'node:fs';
import { afterAll, test } from 'vitest';
import { evaluable, expectRuns, randomRow } from '#test/support/evaluated-rows.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { createWorkbookExecutor } from '../workbook-executor.ts';

const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
afterAll(() => executor.close());

test.for(['loan-schedule', 'sales-commission', 'fx-exposure', 'month-end-report'])(
  'rows of the sample %s give what their runs give',
  { timeout: 600_000 },
  async (name) => {
    const bytes = readFileSync(new URL(`../../../../samples/files/${name}.xlsx`, import.meta.url));
    const sample = await evaluable(executor, bytes);
    const random = seededRandom(anySeed());
    const rows = Array.from({ length: 200 }, () => {
      const row = randomRow(sample.definition, random);
      // Some values are omitted, so that the workbook's own apply.
      return Object.fromEntries(Object.entries(row).filter(() => random.between(1, 10) > 1));
    });
    await expectRuns(sample, rows);
  },
);
