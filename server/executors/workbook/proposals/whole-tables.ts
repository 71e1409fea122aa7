/**
 * Proposes Excel tables as a whole instead of their typed-in columns. Only an input that covers the whole table can have
 * more rows than the file; the workbook fills in the calculated columns of each row.
 */
import { intersects } from '../definitions/blocks.ts';
import type { Candidate } from './candidate.ts';
import type { HeaderBlock } from './header-blocks.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';

/**
 * Cells of an input cannot be an output too. If the only outputs were calculated columns of tables, the typed-in columns
 * stay the inputs.
 */
export function withWholeTables(
  candidates: readonly Candidate[],
  grids: readonly SheetGrid[],
  blocks: readonly HeaderBlock[],
): Candidate[] {
  const tables = blocks.filter((block) => isWhole(grids[block.sheet]!, block));
  const tableOf = ({ sheet, block }: Candidate): HeaderBlock | undefined =>
    tables.find((table) => table.sheet === sheet && intersects(table.body, block));
  const hasOtherOutputs = candidates.some((candidate) => candidate.role === 'output' && !tableOf(candidate));
  if (tables.length === 0 || !hasOtherOutputs) return [...candidates];
  const inputs = new Map<HeaderBlock, Candidate>();
  for (const candidate of candidates) {
    const table = candidate.role === 'input' ? tableOf(candidate) : undefined;
    if (table && candidate.score > (inputs.get(table)?.score ?? -Infinity)) inputs.set(table, candidate);
  }
  return candidates.flatMap((candidate) => {
    const table = tableOf(candidate);
    const input = table && inputs.get(table);
    if (!table || !input) return [candidate];
    return input === candidate ? [{ ...candidate, block: table.body, shape: 'table' as const }] : [];
  });
}

/** Returns true for an Excel table in which no column mixes formulas and cells to fill in. */
function isWhole(grid: SheetGrid, { table, body, columns }: HeaderBlock): boolean {
  if (table === null) return false;
  return columns.every(({ col, kind }) => {
    if (kind === 'single' || kind === 'label') return false;
    const mayBeBlank = table.columns[col - body.left]?.calculatedFormula !== undefined;
    for (let row = body.top; row <= body.bottom; row++) {
      const content = grid.contentAt(row, col);
      const fits =
        kind === 'formula'
          ? content === Content.Formula || (mayBeBlank && content === Content.Blank)
          : content !== Content.Formula;
      if (!fits) return false;
    }
    return true;
  });
}
