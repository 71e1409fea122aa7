/** Proposes columns to fill in under headers, and rows and columns of typed-in numbers, as inputs. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { ProposalReason } from '#shared/contract/proposals.ts';
import { createCandidate } from './candidate.ts';
import type { Candidate, Label } from './candidate.ts';
import { typedRuns } from './header-blocks.ts';
import type { BlockColumn, HeaderBlock } from './header-blocks.ts';
import { blockLabel, cellLabel, headerRowsOver } from './labels.ts';
import { isPeriodRow } from './series.ts';
import { Content, keyOf } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { INPUT_WEIGHTS as W } from './weights.ts';

/** Maximum number of cells examined per block to see how it is read. */
const MAX_SAMPLE = 500;
const LARGE_TABLE = 300;
/** Tables of scenarios to choose from have few rows with several values each; price lists are longer. */
const FEW_ROWS = 6;

interface Use {
  single: number;
  range: number;
  lookup: number;
  /** Number of cells examined. */
  cells: number;
}

/** Counts how the first cells of a block are read. */
function useOf(grid: SheetGrid, block: CellBlock): Use {
  const use: Use = { single: 0, range: 0, lookup: 0, cells: 0 };
  for (let row = block.top; row <= block.bottom && use.cells < MAX_SAMPLE; row++) {
    for (let col = block.left; col <= block.right; col++) {
      use.cells++;
      const at = grid.at(row, col);
      if (at < 0) {
        if (grid.blankReads.has(keyOf(row, col))) use.single++;
        continue;
      }
      if (grid.singleReads(at) > 0 || grid.blankReads.has(keyOf(row, col))) use.single++;
      if (grid.rangeReads[at]! > 0) use.range++;
      if (grid.lookupReads[at]! > 0) use.lookup++;
    }
  }
  return use;
}

export function tableInputs(grid: SheetGrid, block: HeaderBlock): Candidate[] {
  const { body, columns, table } = block;
  const hasFormulas = columns.some(({ kind }) => kind === 'formula');
  const runs = typedRuns(block);
  const main = runs.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
  return runs.flatMap((run) => {
    const own = withoutFormulaRows(grid, { ...body, left: run[0]!.col, right: run.at(-1)!.col });
    const use = useOf(grid, own);
    const isRead = use.single + use.range > 0;
    if (!run.some(({ values, kind }) => values > 0 || kind === 'empty') && !isRead) return [];
    const rows = body.bottom - body.top + 1;
    let score = W.tableUnread;
    if (hasFormulas && isRead) score = table ? W.tableInTable : W.tableBesideFormulas;
    else if (isRead) score = W.tableRead;
    if (use.lookup > 0 && use.range === 0 && use.single === 0) {
      score = W.tableSearched;
      if (rows <= FEW_ROWS && run.length >= 3) score += W.fewSearched;
    }
    if (use.lookup > use.single + use.range && use.single + use.range > 0) score += W.mostlySearched;
    if (rows > LARGE_TABLE) score += W.largeTable;
    if (run !== main) score += W.furtherColumns;
    if (run.length === 1 && rows > 2 && isCount(grid, own)) score += W.counting;
    const reason: ProposalReason = table
      ? { code: 'tableColumns', table: table.name }
      : { code: hasFormulas ? 'columnsWithFormulas' : 'columnsRead' };
    const width = own.right - own.left + 1;
    const shape = width === 1 ? 'list' : 'table';
    const label = table
      ? tableLabel(grid, block)
      : blockLabel(grid, { ...own, top: body.top }, body.top - block.headerRow);
    return [createCandidate(grid.index, own, 'input', { shape, hasHeaders: true, label, score, reason })];
  });
}

/**
 * Removes first and last rows that contain only formulas and labels, such as an opening balance or a total, and blank
 * first rows above others that are filled in.
 */
function withoutFormulaRows(grid: SheetGrid, block: CellBlock): CellBlock {
  let { top, bottom } = block;
  const firstEnd = Math.min(bottom, top + 2);
  while (top < firstEnd && rowHolds(grid, top, block) !== 'typed') top++;
  if (top > block.top && isBlank(grid, { ...block, bottom: Math.min(bottom, block.top + MAX_SAMPLE) })) return block;
  const lastEnd = Math.max(top, bottom - 2);
  while (bottom > lastEnd && rowHolds(grid, bottom, block) === 'formulas') bottom--;
  return { ...block, top, bottom };
}

function isBlank(grid: SheetGrid, block: CellBlock): boolean {
  for (let row = block.top; row <= block.bottom; row++) {
    if (rowHolds(grid, row, block) !== 'blank') return false;
  }
  return true;
}

function rowHolds(grid: SheetGrid, row: number, { left, right }: CellBlock): 'typed' | 'formulas' | 'blank' {
  let hasTexts = false;
  let hasFormulas = false;
  for (let col = left; col <= right; col++) {
    const content = grid.contentAt(row, col);
    if (content === Content.Text) hasTexts = true;
    else if (content === Content.Formula) hasFormulas = true;
    else if (content !== Content.Blank) return 'typed';
  }
  return hasFormulas ? 'formulas' : hasTexts ? 'typed' : 'blank';
}

const weightOf = (run: readonly BlockColumn[]): number =>
  run.reduce((sum, { values, kind }) => sum + (values > 0 ? 2 : kind === 'empty' ? 1.5 : 1), 0);

/** Returns the heading above the table, otherwise the name its author gave it. */
export function tableLabel(grid: SheetGrid, { body, headerRow, table }: HeaderBlock): Label | null {
  const name = table?.name ?? '';
  if (name !== '' && !/^(?:table|tabelle|tbl|tableau|tabla)_?\d+$/i.test(name)) {
    return { row: headerRow, col: body.left, text: name.replace(/^tbl_?/i, ''), raw: name, unit: null, at: 'above' };
  }
  return blockLabel(grid, body, body.top - headerRow);
}

export function seriesInput(grid: SheetGrid, block: CellBlock, isNamed: boolean): Candidate {
  const use = useOf(grid, block);
  const rows = block.bottom - block.top + 1;
  const cols = block.right - block.left + 1;
  const isRead = use.single + use.range > 0;
  let score = isRead ? W.seriesRead : W.seriesUnread;
  if (use.lookup > use.single + use.range) score += W.mostlySearched;
  if (rows === 1 && isPeriodRow(grid, block)) score += W.years;
  if (cols === 1 && rows >= 3 && !isNamed && isCount(grid, block)) score += W.counting;
  if (rows * cols > LARGE_TABLE) score += W.largeTable;
  const shape = rows > 1 && cols > 1 ? 'matrix' : 'list';
  const label = rows === 1 ? cellLabel(grid, block) : blockLabel(grid, block, headerRowsOver(grid, block));
  if (!label) score += W.noLabel;
  return createCandidate(grid.index, block, 'input', {
    shape,
    hasHeaders: false,
    label,
    score,
    reason: isRead ? { code: 'columnsRead' } : { code: 'labelled' },
  });
}

/** Proposes a block with blank cells that formulas add up. */
export function sparseInput(grid: SheetGrid, block: CellBlock): Candidate {
  const headers = headerRowsOver(grid, block);
  return createCandidate(grid.index, block, 'input', {
    shape: 'matrix',
    hasHeaders: false,
    label: blockLabel(grid, block, headers),
    score: W.seriesRead,
    reason: { code: 'columnsRead' },
  });
}

/** Returns true for an axis: 0, 100, 200, … */
function isCount(grid: SheetGrid, { top, bottom, left }: CellBlock): boolean {
  const first = grid.number(grid.at(top, left));
  const second = grid.number(grid.at(top + 1, left));
  if (first === null || second === null || first === second) return false;
  const step = second - first;
  for (let row = top + 1; row <= bottom; row++) {
    const number = grid.number(grid.at(row, left));
    if (number === null || Math.abs(number - (first + step * (row - top))) > 1e-9 * Math.abs(step)) return false;
  }
  return true;
}
