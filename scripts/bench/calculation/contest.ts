/** One engine and one size of sheet, in a process of its own: prints what it measured as JSON. */
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measure } from './contestant.ts';
import { CONTESTANTS } from './contestants.ts';
import { measureLoading } from './loading.ts';
import { patternSheet } from './patterns.ts';
import { benchmarkSheet } from './sheet.ts';
import type { BenchmarkSheet } from './sheet.ts';

const WARM_UP_ROWS = 500;

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    rows: { type: 'string' },
    table: { type: 'string' },
    pattern: { type: 'string' },
  },
});
const table = Number(values.table);
const sheetOf = (rows: number): BenchmarkSheet =>
  values.pattern === undefined ? benchmarkSheet(rows, table) : patternSheet(values.pattern, rows);
const sheet = sheetOf(Number(values.rows));
const print = (answer: unknown): void => void writeSync(1, `${JSON.stringify(answer)}\n`);
if (values.engine === 'loading') print(await measureLoading(sheet));
else await measure(CONTESTANTS[values.engine!]!, sheet, sheetOf(WARM_UP_ROWS), print);
process.exit(0);
