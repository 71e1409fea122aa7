/** Measures how many variants of a loan an engine calculates in a second: one amount after the other. */
import { formatCell } from '#shared/codecs/cell-address.ts';
import { loanBook } from '../loan-book.ts';
import type { Contestant } from './contestant.ts';
import type { BenchmarkSheet, Cell } from './sheet.ts';

export interface Variants {
  perSecond: number;
  check: number;
}

/** Milliseconds of the measurement, and of the warm-up before it. */
const MEASURED_MS = 4000;
const WARM_UP_MS = 1500;

export async function measureVariants(engine: Contestant, formulas: number): Promise<Variants> {
  const contest = await engine.load(loanSheet(formulas));
  await contest.full();
  let round = 1;
  const during = async (ms: number): Promise<number> => {
    const first = round;
    const start = performance.now();
    while (performance.now() - start < ms) await contest.inputs(round++);
    return ((round - first) * 1000) / (performance.now() - start);
  };
  await during(WARM_UP_MS);
  const perSecond = await during(MEASURED_MS);
  await contest.inputs(0);
  const check = contest.check();
  await contest.close();
  return { perSecond, check };
}

/** The amount is the input; payment, total paid and total interest are compared. */
function loanSheet(formulas: number): BenchmarkSheet {
  const { sheets } = loanBook(formulas);
  return {
    sheets: sheets.map(({ name, cells = {} }) => ({ name, rows: rowsOf(cells as Record<string, Cell>) })),
    formulas,
    inputs: [{ row: 3, col: 1 }],
    checked: [{ sheet: 0, block: { top: 12, left: 1, bottom: 14, right: 1 } }],
  };
}

function rowsOf(cells: Record<string, Cell>): Cell[][] {
  const last = Math.max(...Object.keys(cells).map((address) => Number(/\d+$/.exec(address)![0])));
  return Array.from({ length: last }, (_, row) =>
    Array.from({ length: 7 }, (_cell, col) => cells[formatCell(row, col)] ?? null),
  );
}
