/** Finds cells that are likely outputs. */
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { FormulaGroup } from '#server/calculation/graph/formula-groups.ts';
import { cellsIn } from '#server/calculation/reader/cell-index.ts';
import type { ProposalReason } from '#shared/contract/proposals.ts';
import type { BlockColumn, HeaderBlock } from './header-blocks.ts';
import { hasResultStyle } from './input-look.ts';
import { tableLabel } from './table-inputs.ts';
import { blockLabel, cellLabel, splitUnit } from './labels.ts';
import { dependsScore, isCharted, unreadShare } from './output-scores.ts';
import type { OutputContext } from './output-scores.ts';
import { sectionSays } from './section-words.ts';
import { formulaRow, seriesOutput } from './series-outputs.ts';
import { createCandidate, PROPOSAL_LIMITS } from './candidate.ts';
import type { Candidate, Label } from './candidate.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { isSupportingSheet, isCheckWord, isResultSheet, isStatisticWord, isTotalWord, resultWord } from './words.ts';
import { OUTPUT_WEIGHTS as W } from './weights.ts';

export function outputCandidates(grid: SheetGrid, blocks: readonly HeaderBlock[], context: OutputContext): Candidate[] {
  const done = new Set<FormulaGroup>();
  const tables = blocks.flatMap((block) => tableOutputs(grid, block, context, done));
  const found: Candidate[] = [...tables];
  for (let at = 0; at < grid.count && found.length < PROPOSAL_LIMITS.candidates; at++) {
    const group = grid.groups[at];
    if (!group || done.has(group) || isLink(grid, at) || grid.isCovered(grid.row(at), grid.col(at))) continue;
    const row = group.top === group.bottom ? formulaRow(grid, at) : null;
    for (const one of row?.groups ?? [group]) done.add(one);
    found.push(...(row ? [seriesOutput(grid, row, context)] : groupOutputs(grid, group, context)));
  }
  const bonus = sheetBonus(grid);
  return found.map((candidate) => ({
    ...candidate,
    score: candidate.score + bonus + sectionWeight(grid, candidate),
  }));
}

function sectionWeight(grid: SheetGrid, { block }: Candidate): number {
  const says = sectionSays(grid, block);
  return says === 'inputs' ? W.inputHeading : says === 'results' ? W.resultHeading : 0;
}

/** Returns true for a link that serves as a button, or a formula that displays another formula. */
const isLink = (grid: SheetGrid, at: number): boolean =>
  /^\+?(?:HYPERLINK|(?:_xlfn\.)?FORMULATEXT)\(/i.test(grid.formulaText(at));

function sheetBonus(grid: SheetGrid): number {
  const { name, visibility } = grid.model;
  if (visibility !== 'visible') return W.hiddenSheet;
  return isResultSheet(name) ? W.resultSheet : isSupportingSheet(name) ? W.supportingSheet : 0;
}

/** Proposes columns of formulas under headers as tables, and marks their formula groups as done. */
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
    // A last column of totals is a separate output.
    if (last > first && isTotalWord(columns[last]!.header)) last--;
    const top = Math.max(...columns.slice(first, last + 1).map(({ start }) => start));
    const own = { ...body, top, left: columns[first]!.col, right: columns[last]!.col };
    if (isOfRows(grid, own)) {
      first = last;
      continue;
    }
    for (const at of cellsIn(grid.model.cells, own)) {
      if (at >= grid.count) break;
      const group = grid.groups[at];
      if (group) done.add(group);
    }
    const isAll = first === 0 && last === columns.length - 1;
    const isShown = isCharted(grid, own, context);
    const unread = unreadShare(grid, own);
    let score = W.tableBase + W.tableUnread * unread;
    if (isShown) score += W.tableCharted;
    const width = last - first + 1;
    const label =
      width === 1
        ? columnLabel(columns[first]!.header, headerRow, own.left)
        : block.table && isAll
          ? tableLabel(grid, block)
          : (resultColumn(grid, own, columns.slice(first, last + 1), headerRow) ??
            blockLabel(grid, own, top - headerRow));
    if (body.bottom - body.top < SHORT_ROWS) score += W.shortTable;
    if (label && resultWord(label.raw) > 0) score += W.seriesTotal;
    const reason: ProposalReason = { code: isShown ? 'inChart' : 'calculatedCells' };
    const shape = width === 1 ? 'list' : 'table';
    found.push(createCandidate(grid.index, own, 'output', { shape, hasHeaders: true, label, score, reason }));
    first = last;
  }
  return found;
}

/** Returns the header of a last column that no formula reads, if formulas read all others: they lead to that result. */
function resultColumn(
  grid: SheetGrid,
  block: CellBlock,
  columns: readonly BlockColumn[],
  headerRow: number,
): Label | null {
  const unread = columns.filter(({ col }) => unreadShare(grid, { ...block, left: col, right: col }) === 1);
  const { header, col } = columns.at(-1)!;
  return unread.length === 1 && unread[0]!.col === col ? columnLabel(header, headerRow, col) : null;
}

/** Returns true if each row has its own formula, as in a model over months: its rows are outputs, not the block. */
function isOfRows(grid: SheetGrid, block: CellBlock): boolean {
  let across = 0;
  let others = 0;
  for (const at of cellsIn(grid.model.cells, block)) {
    if (at >= grid.count || across + others > MAX_SAMPLE) break;
    const group = grid.groups[at];
    if (!group) continue;
    if (group.bottom - group.top < group.right - group.left) across++;
    else others++;
  }
  return across > others;
}

/** Maximum number of cells examined per block. */
const MAX_SAMPLE = 500;

function named(header: string): { text: string; unit: string | null } {
  const { name, unit } = splitUnit(header);
  return { text: name, unit };
}

function columnLabel(header: string, row: number, col: number): Label | null {
  return header === '' ? null : { row, col, ...named(header), raw: header, at: 'above' };
}

/** A table with fewer rows than this may be a summary; longer ones are schedules. */
const SHORT_ROWS = 12;
/** Texts longer than this many characters are sentences, which are notes. */
const LONG_TEXT = 60;
/** Up to this many cells of one formula are separate results. */
const MAX_SINGLES = 2;

function groupOutputs(grid: SheetGrid, group: FormulaGroup, context: OutputContext): Candidate[] {
  const { top, left, bottom, right } = group.spill ?? group;
  if ((bottom - top + 1) * (right - left + 1) > MAX_SINGLES) {
    return [seriesOutput(grid, { block: { top, left, bottom, right }, group }, context)];
  }
  const found: Candidate[] = [];
  for (let row = top; row <= bottom; row++) {
    for (let col = left; col <= right; col++) {
      const at = grid.at(row, col);
      if (at >= 0 && !grid.isCovered(row, col)) found.push(singleOutput(grid, at, group, context));
    }
  }
  return found;
}

function singleOutput(grid: SheetGrid, at: number, group: FormulaGroup, context: OutputContext): Candidate {
  const row = grid.row(at);
  const col = grid.col(at);
  const block = { top: row, left: col, bottom: row, right: col };
  const label = cellLabel(grid, block);
  const style = grid.style(at);
  const isRead = grid.isRead(at);
  const isShown = isCharted(grid, block, context);
  const word = label ? resultWord(label.raw) : 0;
  let score = W.base;
  if (!isRead) score += W.unread;
  if (label) score += label.at === 'left' ? W.labelBeside : label.at === 'above' ? W.labelAbove : W.labelDiagonal;
  else score += W.noLabel;
  score += [0, W.resultWord, W.strongResultWord][word]!;
  if (hasResultStyle(style)) score += W.resultStyle;
  if (style.isBold) score += W.bold;
  if (style.fill !== null) score += W.fill;
  if (style.fontSize >= 13) score += W.large;
  if (isShown) score += W.charted;
  if (label && isCheckWord(label.text)) score += W.check;
  if (label && isStatisticWord(label.text)) score += W.statistic;
  score += dependsScore(group, context);
  const kind = grid.savedKind(at);
  if (kind === CellKind.Error) score += W.error;
  if (kind === CellKind.Text) score += grid.text(at).length > LONG_TEXT ? W.longText : W.text;
  if (isLabelText(grid, at)) score += W.labelText;
  if (isInNumberRow(grid, row, col)) score += W.fragment;
  const code = hasResultStyle(style)
    ? 'outputStyle'
    : word > 0
      ? 'resultWord'
      : isShown
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

/** Returns true if at least four numbers are side by side, as in a row of years, whatever their formulas are. */
function isInNumberRow(grid: SheetGrid, row: number, col: number): boolean {
  let numbers = 1;
  for (let left = col - 1; numbers < 4 && grid.number(grid.at(row, left)) !== null; left--) numbers++;
  for (let right = col + 1; numbers < 4 && grid.number(grid.at(row, right)) !== null; right++) numbers++;
  return numbers >= 4;
}

/** Returns true for a formula that builds a label from the value on its right ('="Total "&B3'). */
function isLabelText(grid: SheetGrid, at: number): boolean {
  if (grid.savedKind(at) !== CellKind.Text) return false;
  const beside = grid.contentAt(grid.row(at), grid.col(at) + 1);
  return beside !== Content.Blank && beside !== Content.Text;
}
