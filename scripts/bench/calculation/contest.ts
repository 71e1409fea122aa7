/** One engine and one size of sheet, in a process of its own: prints what it measured as JSON. */
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measure } from './contestant.ts';
import { CONTESTANTS } from './contestants.ts';
import { measureLoading } from './loading.ts';
import { benchmarkSheet } from './sheet.ts';

const WARM_UP_ROWS = 500;

const { values } = parseArgs({
  options: { engine: { type: 'string' }, rows: { type: 'string' }, table: { type: 'string' } },
});
const table = Number(values.table);
const sheet = benchmarkSheet(Number(values.rows), table);
const answer =
  values.engine === 'loading'
    ? await measureLoading(sheet)
    : await measure(CONTESTANTS[values.engine!]!, sheet, benchmarkSheet(WARM_UP_ROWS, table));
writeSync(1, `${JSON.stringify(answer)}\n`);
process.exit(0);
