/** Proposals for workbooks that tests build. */
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { proposeMarks } from '#server/executors/workbook/proposals/propose-marks.ts';
import { readLooks } from '#server/executors/workbook/proposals/workbook-looks.ts';
import type { Proposal, ProposalRole } from '#shared/contract/proposals.ts';
import { buildWorkbook } from './build-workbook.ts';
import type { CellSpec, SheetSpec, WorkbookSpec } from './build-workbook.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';

export async function proposalsFor(spec: WorkbookSpec): Promise<Proposal[]> {
  const source = await openPackage(await buildWorkbook(spec));
  const model = readWorkbook(source);
  return proposeMarks(model, readLooks(source, model));
}

/**
 * Proposals for one sheet, given as rows of cells from A1. A text that starts with '=' is a formula with the result 1.
 */
export async function proposalsOf(rows: CellSpec[][], sheet: Partial<SheetSpec> = {}): Promise<Proposal[]> {
  return await proposalsFor({ sheets: [{ name: 'Sheet1', cells: cellsOf(rows), ...sheet }] });
}

export function cellsOf(rows: readonly CellSpec[][]): Record<string, CellSpec> {
  const cells: Record<string, CellSpec> = {};
  for (const [row, values] of rows.entries()) {
    for (const [col, value] of values.entries()) {
      if (value === null) continue;
      const isFormula = typeof value === 'string' && value.startsWith('=');
      cells[`${columnLetters(col)}${row + 1}`] = isFormula ? { formula: value.slice(1), value: 1 } : value;
    }
  }
  return cells;
}

/** Returns for example 'B2 Interest_rate', best first. */
export function marksOf(proposals: readonly Proposal[], role: ProposalRole): string[] {
  return proposals.filter((proposal) => proposal.role === role).map(({ range, name }) => `${range} ${name}`);
}
