/** Cells that are likely outputs. */
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { FormulaGroup } from '#server/calculation/graph/formula-groups.ts';
import { coveredBlock } from '#server/calculation/graph/reads.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import { intersectBlocks } from '#server/calculation/syntax/areas.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { cellsIn } from '#server/calculation/reader/cell-index.ts';
import type { ProposalReason } from '#shared/contract/proposals.ts';
import type { GroupReads } from './cell-reads.ts';
import type { HeaderBlock } from './header-blocks.ts';
import { hasResultStyle } from './input-look.ts';
import { tableLabel } from './inputs.ts';
import { aboveLabel, blockLabel, cellLabel, leftLabel, rowLabel, splitUnit } from './labels.ts';
import { createCandidate, PROPOSAL_LIMITS } from './candidate.ts';
import type { Candidate, Label } from './candidate.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { isAsideSheet, isCheckWord, isResultSheet, isTotalWord, resultWord } from './words.ts';

export interface OutputContext {
  grids: readonly SheetGrid[];
  groups: ReadonlyMap<FormulaGroup, GroupReads>;
  charted: readonly SheetBlock[];
}

/** Formula cells of one block that are looked at. */
const MAX_SAMPLE = 500;

export function outputCandidates(grid: SheetGrid, blocks: readonly HeaderBlock[], context: OutputContext): Candidate[] {
  const done = new Set<FormulaGroup>();
  const tables = blocks.flatMap((block) => tableOutputs(grid, block, context, done));
  const found: Candidate[] = [...tables];
  for (let at = 0; at < grid.count && found.length < PROPOSAL_LIMITS.candidates; at++) {
    const group = grid.groups[at];
    if (!group || done.has(group) || isLink(grid, at) || grid.isCovered(grid.row(at), grid.col(at))) continue;
    done.add(group);
    found.push(...groupOutputs(grid, group, context));
  }
  const bonus = sheetBonus(grid);
  return found.map((candidate) => ({ ...candidate, score: candidate.score + bonus }));
}

/** A button of the sheet. */
const isLink = (grid: SheetGrid, at: number): boolean => /^\+?HYPERLINK\(/i.test(grid.formulaText(at));

function sheetBonus(grid: SheetGrid): number {
  const { name, visibility } = grid.model;
  if (visibility !== 'visible') return -0.4;
  return isResultSheet(name) ? 0.1 : isAsideSheet(name) ? -0.15 : 0;
}

/** Columns of formulas under headers, as tables; each group of them is then done. */
function tableOutputs(
  grid: SheetGrid,
  block: HeaderBlock,
  context: OutputContext,
  done: Set<FormulaGroup>,
): Candidate[] {
  const { body, columns, headerRow } = block;
  const found: Candidate[] = [];
  for (let first = 0; first < columns.length; first++) {
    if (columns[first]!.kind !== 'formula') continue;
    let last = first;
    while (columns[last + 1]?.kind === 'formula') last++;
    const own = { ...body, left: columns[first]!.col, right: columns[last]!.col };
    for (const at of cellsIn(grid.model.cells, own)) {
      if (at >= grid.count) break;
      const group = grid.groups[at];
      if (group) done.add(group);
    }
    const isAll = first === 0 && last === columns.length - 1;
    const isCharted = context.charted.some(
      ({ sheet, block: shown }) => sheet === grid.index && intersectBlocks(shown, own),
    );
    const unread = unreadShare(grid, own);
    let score = 0.3 + 0.12 * unread;
    if (isCharted) score += 0.15;
    if (last === columns.length - 1) score += 0.04;
    const width = last - first + 1;
    const label =
      width === 1
        ? columnLabel(columns[first]!.header, headerRow, own.left)
        : block.table && isAll
          ? tableLabel(grid, block)
          : blockLabel(grid, own, body.top - headerRow);
    if (label && resultWord(label.text) > 0) score += 0.06;
    const reason: ProposalReason = { code: isCharted ? 'inChart' : 'calculatedCells' };
    const shape = width === 1 ? 'list' : 'table';
    found.push(createCandidate(grid.index, own, 'output', { shape, hasHeaders: true, label, score, reason }));
    first = last;
  }
  return found;
}

function named(header: string): { text: string; unit: string | null } {
  const { name, unit } = splitUnit(header);
  return { text: name, unit };
}

function columnLabel(header: string, row: number, col: number): Label | null {
  return header === '' ? null : { row, col, ...named(header), raw: header, at: 'above' };
}

/** How many of the first cells no formula outside of their own group reads, 0 to 1. */
function unreadShare(grid: SheetGrid, block: CellBlock): number {
  let cells = 0;
  let unread = 0;
  for (const at of cellsIn(grid.model.cells, block)) {
    if (at >= grid.count || cells >= MAX_SAMPLE) break;
    cells++;
    if (!grid.isRead(at)) unread++;
  }
  return cells === 0 ? 0 : unread / cells;
}

/** A cell that repeats one so many rows away sums up the sheet. */
const FAR_ROWS = 12;
/** Up to this many cells of one formula are still results of their own. */
const MAX_SINGLES = 2;

function groupOutputs(grid: SheetGrid, group: FormulaGroup, context: OutputContext): Candidate[] {
  const rows = group.bottom - group.top + 1;
  const cols = group.right - group.left + 1;
  if (rows * cols <= MAX_SINGLES || group.record.kind === 'array') {
    const found: Candidate[] = [];
    const last = group.record.kind === 'array' ? group.top : group.bottom;
    for (let row = group.top; row <= last; row++) {
      for (let col = group.left; col <= (group.record.kind === 'array' ? group.left : group.right); col++) {
        const at = grid.at(row, col);
        if (at >= 0 && !grid.isCovered(row, col)) found.push(singleOutput(grid, at, group, context));
      }
    }
    return found;
  }
  return [seriesOutput(grid, group, context)];
}

function singleOutput(grid: SheetGrid, at: number, group: FormulaGroup, context: OutputContext): Candidate {
  const row = grid.row(at);
  const col = grid.col(at);
  const block = { top: row, left: col, bottom: row, right: col };
  const label = cellLabel(grid, block);
  const style = grid.style(at);
  const isRead = grid.isRead(at);
  const isCharted = context.charted.some(
    ({ sheet, block: shown }) => sheet === grid.index && intersectBlocks(shown, block),
  );
  const word = label ? resultWord(label.raw) : 0;
  let score = 0.26;
  if (!isRead) score += 0.2;
  if (label) score += label.at === 'left' ? 0.14 : label.at === 'above' ? 0.09 : 0.02;
  else score -= 0.25;
  score += [0, 0.1, 0.2][word]!;
  if (hasResultStyle(style)) score += 0.2;
  if (style.isBold) score += 0.06;
  if (style.fill !== null) score += 0.04;
  if (style.fontSize >= 13) score += 0.06;
  if (isCharted) score += 0.08;
  if (label && isCheckWord(label.text)) score -= 0.25;
  score += dependsScore(group, context);
  const kind = grid.savedKind(at);
  if (kind === CellKind.Error) score -= 0.15;
  if (kind === CellKind.Text) score -= grid.text(at) === '' ? 0.1 : grid.text(at).length > 60 ? 0.2 : 0.05;
  if (isLabelText(grid, at)) score -= 0.3;
  const code = hasResultStyle(style)
    ? 'outputStyle'
    : word > 0
      ? 'resultWord'
      : isCharted
        ? 'inChart'
        : isRead
          ? 'calculated'
          : 'notRead';
  return createCandidate(grid.index, block, 'output', {
    shape: 'value',
    hasHeaders: false,
    label,
    score,
    reason: { code },
  });
}

/** A formula that makes a label of the value on its right ('="Total "&B3'). */
function isLabelText(grid: SheetGrid, at: number): boolean {
  if (grid.savedKind(at) !== CellKind.Text) return false;
  const beside = grid.contentAt(grid.row(at), grid.col(at) + 1);
  return beside !== Content.Blank && beside !== Content.Text;
}

/** Results build on other formulas; a formula that only repeats a cell, or reads none, is none. */
function dependsScore(group: FormulaGroup, { grids, groups }: OutputContext): number {
  const reads = groups.get(group)?.reads ?? [];
  if (reads.length === 0) return -0.25;
  let onFormula = false;
  let onValue = false;
  for (const read of reads.slice(0, 40)) {
    const grid = grids[read.sheet]!;
    const block = coveredBlock(read, group);
    let seen = 0;
    for (const at of cellsIn(grid.model.cells, block)) {
      if (at >= grid.count || ++seen > 50) break;
      if (grid.content(at) === Content.Formula) onFormula = true;
      else if (grid.isValue(at)) onValue = true;
    }
  }
  const { tree } = group.record;
  const isEcho = tree?.type === 'reference' || tree?.type === 'name';
  if (isEcho) {
    const isFar = reads.some(
      (read) => read.sheet !== group.sheet || Math.abs(coveredBlock(read, group).top - group.top) > FAR_ROWS,
    );
    return onFormula ? (isFar ? 0.1 : -0.12) : -0.3;
  }
  return onFormula ? 0.08 : onValue ? 0 : -0.05;
}

function seriesOutput(grid: SheetGrid, group: FormulaGroup, context: OutputContext): Candidate {
  const block = { top: group.top, left: group.left, bottom: group.bottom, right: group.right };
  const isRow = group.top === group.bottom;
  const isColumn = group.left === group.right;
  const label = isRow
    ? (rowLabel(grid, block.top, block.left) ?? aboveLabel(grid, block.top, block.left))
    : isColumn
      ? (aboveLabel(grid, block.top, block.left) ?? leftLabel(grid, block.top, block.left))
      : blockLabel(grid, block, 0);
  const isCharted = context.charted.some(
    ({ sheet, block: shown }) => sheet === grid.index && intersectBlocks(shown, block),
  );
  const at = grid.at(block.top, block.left);
  const style = grid.style(at);
  let score = 0.24 + 0.12 * unreadShare(grid, block) + dependsScore(group, context);
  if (isRow && isFragment(grid, block)) score -= 0.12;
  const word = label ? resultWord(label.raw) : 0;
  if (label) score += [0.02, 0.1, 0.22][word]!;
  else score -= 0.12;
  if (label && isTotalWord(label.text)) score += 0.06;
  if (label && isCheckWord(label.text)) score -= 0.2;
  if (hasResultStyle(style)) score += 0.15;
  if (style.isBold) score += 0.05;
  if (isCharted) score += 0.15;
  const code = isCharted ? 'inChart' : word > 0 ? 'resultWord' : 'calculatedCells';
  const shape = isRow || isColumn ? 'list' : 'matrix';
  return createCandidate(grid.index, block, 'output', { shape, hasHeaders: false, label, score, reason: { code } });
}

/** The row goes on to its left or right with values or other formulas. */
function isFragment(grid: SheetGrid, { top, left, right }: CellBlock): boolean {
  return [grid.at(top, left - 1), grid.at(top, right + 1)].some((at) => at >= 0 && grid.number(at) !== null);
}
