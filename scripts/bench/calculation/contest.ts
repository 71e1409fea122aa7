/**
 * Measures one engine with one sheet size, or with many cases, in a separate process. Prints each measurement as one
 * line of JSON.
 */
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Case, Outcome } from './cases.ts';
import { measure, measureOnce } from './contestant.ts';
import { CONTESTANTS } from './contestants.ts';
import { measureLoading } from './loading.ts';
import { patternSheet } from './patterns.ts';
import { benchmarkSheet } from './sheet.ts';
import { measureVariants } from './variants.ts';

const WARM_UP_ROWS = 500;
/** Number of warm-up rows for patterns: some take time that is quadratic in their rows. */
const FEW_ROWS = 200;

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    rows: { type: 'string' },
    table: { type: 'string' },
    cases: { type: 'string' },
    variants: { type: 'string' },
  },
});
const print = (answer: unknown): void => void writeSync(1, `${JSON.stringify(answer)}\n`);

async function measureCase({ pattern, rows }: Case): Promise<Outcome> {
  try {
    return await measureOnce(
      CONTESTANTS[values.engine!]!,
      patternSheet(pattern, rows),
      patternSheet(pattern, FEW_ROWS),
    );
  } catch (error) {
    return { failed: error instanceof Error ? error.message.split('\n')[0]! : String(error) };
  }
}

if (values.variants !== undefined) {
  print(await measureVariants(CONTESTANTS[values.engine!]!, Number(values.variants)));
} else if (values.cases !== undefined) {
  for (const own of JSON.parse(values.cases) as Case[]) print(await measureCase(own));
} else {
  const sheet = benchmarkSheet(Number(values.rows), Number(values.table));
  if (values.engine === 'loading') print(await measureLoading(sheet));
  else {
    const warmUp = benchmarkSheet(WARM_UP_ROWS, Number(values.table));
    await measure(CONTESTANTS[values.engine!]!, sheet, warmUp, print);
  }
}
process.exit(0);
