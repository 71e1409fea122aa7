/** Workbooks whose definitions have a fault. */
import { expect } from 'vitest';
import type { CellSpec } from './build-workbook.ts';
import { read, withPortal } from './read-definitions.ts';

/** The cells and the table of their sheet S. */
export const cells: Record<string, CellSpec> = { A1: 1, A2: 2, B1: 'h', C1: 'k', B2: 1, C2: 2 };
export const table = { name: 'T', ref: 'B1:C2', columns: ['h', 'k'] };

/**
 * Expects that a table of the Portal sheet, in a workbook with the input X, is refused. `cell` is the cell of the fault,
 * on the Portal sheet unless it names another; 'B2|A2' means either.
 */
export async function expectPortalProblem(
  name: string,
  rows: CellSpec[][],
  cell: string,
  message: RegExp,
): Promise<void> {
  const spec = withPortal({ cells, tables: [table] }, name, rows, { in_X: 'S!$A$1' });
  const { definition, problems } = await read(spec);
  expect(definition).toBeNull();
  const at = problems.find(({ Message }) => message.test(Message));
  expect(at, JSON.stringify(problems)).toBeDefined();
  const [sheet, address] = cell.includes('!') ? cell.split('!') : ['Portal', cell];
  expect(at!.Sheet).toBe(sheet);
  expect(address!.split('|')).toContain(at!.Cell);
  expect(at!.Remedy).not.toBe('');
}
