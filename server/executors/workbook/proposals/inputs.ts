/** Cells that are likely inputs. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { ProposalReason } from '#shared/contract/proposals.ts';
import { typedRuns } from './header-blocks.ts';
import type { BlockColumn, HeaderBlock } from './header-blocks.ts';
import { hasInputStyle } from './input-look.ts';
import type { InputLook } from './input-look.ts';
import { blockLabel, cellLabel } from './labels.ts';
import { createCandidate } from './candidate.ts';
import type { Candidate, Label } from './candidate.ts';
import { isPeriodRow, valueSeries } from './series.ts';
import { colOfKey, Content, keyOf, rowOfKey } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { isAsideSheet, isInputSheet, isTotalWord } from './words.ts';

/** Cells of a block that are looked at for how it is read. */
const MAX_SAMPLE = 500;
const LARGE_TABLE = 300;

export function inputCandidates(grid: SheetGrid, blocks: readonly HeaderBlock[], look: InputLook): Candidate[] {
  const ruled = ruledCells(grid);
  const candidates = [
    ...blocks.flatMap((block) => tableInputs(grid, block)),
    ...valueSeries(grid).map((block) => seriesInput(grid, block)),
    ...singleInputs(grid, look, ruled),
    ...blankInputs(grid, look, ruled),
  ];
  const bonus = sheetBonus(grid);
  return candidates.map((candidate) => ({ ...candidate, score: candidate.score + bonus }));
}

function sheetBonus(grid: SheetGrid): number {
  const { name, visibility } = grid.model;
  if (visibility !== 'visible') return -0.35;
  return isInputSheet(name) ? 0.06 : isAsideSheet(name) ? -0.15 : 0;
}

interface Use {
  single: number;
  range: number;
  lookup: number;
  /** Cells that are looked at. */
  cells: number;
}

/** How the first cells of a block are read: of how many of them each. */
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

function tableInputs(grid: SheetGrid, block: HeaderBlock): Candidate[] {
  const { body, columns, table } = block;
  const hasFormulas = columns.some(({ kind }) => kind === 'formula');
  const runs = typedRuns(block);
  const main = runs.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
  return runs.flatMap((run) => {
    const own = withoutBlankTop(grid, { ...body, left: run[0]!.col, right: run.at(-1)!.col });
    const use = useOf(grid, own);
    const isRead = use.single + use.range > 0;
    if (!run.some(({ values, kind }) => values > 0 || kind === 'empty') && !isRead) return [];
    const rows = body.bottom - body.top + 1;
    let score = 0.25;
    if (hasFormulas && isRead) score = table ? 0.82 : 0.74;
    else if (isRead) score = 0.58;
    if (use.lookup > 0 && use.range === 0 && use.single === 0) score = 0.3;
    else if (use.lookup > use.single + use.range) score -= 0.2;
    if (rows > LARGE_TABLE) score -= 0.15;
    if (run !== main) score -= 0.2;
    if (run.length === 1 && rows > 2 && isCount(grid, own)) score -= 0.35;
    const reason: ProposalReason = table
      ? { code: 'tableColumns', table: table.name }
      : { code: hasFormulas ? 'columnsWithFormulas' : 'columnsRead' };
    const width = own.right - own.left + 1;
    const shape = width === 1 ? 'list' : 'table';
    const label = table ? tableLabel(grid, block) : blockLabel(grid, own, body.top - block.headerRow);
    return [createCandidate(grid.index, own, 'input', { shape, hasHeaders: true, label, score, reason })];
  });
}

/** The first rows of a block may hold no typed-in cell of these columns, as the opening balance of a schedule. */
function withoutBlankTop(grid: SheetGrid, block: CellBlock): CellBlock {
  for (let top = block.top; top <= Math.min(block.bottom, block.top + 2); top++) {
    for (let col = block.left; col <= block.right; col++) {
      const content = grid.contentAt(top, col);
      if (content !== Content.Blank && content !== Content.Formula) return { ...block, top };
    }
  }
  return block;
}

const weightOf = (run: readonly BlockColumn[]): number =>
  run.reduce((sum, { values, kind }) => sum + (values > 0 ? 2 : kind === 'empty' ? 1.5 : 1), 0);

/** A heading over the table, else the name its author gave it. */
export function tableLabel(grid: SheetGrid, { body, headerRow, table }: HeaderBlock): Label | null {
  const name = table?.name ?? '';
  if (name !== '' && !/^(?:table|tabelle|tbl|tableau|tabla)_?\d+$/i.test(name)) {
    return { row: headerRow, col: body.left, text: name.replace(/^tbl_?/i, ''), raw: name, unit: null, at: 'above' };
  }
  return blockLabel(grid, body, body.top - headerRow);
}

function seriesInput(grid: SheetGrid, block: CellBlock): Candidate {
  const use = useOf(grid, block);
  const rows = block.bottom - block.top + 1;
  const cols = block.right - block.left + 1;
  const isRead = use.single + use.range > 0;
  let score = isRead ? 0.6 : 0.12;
  if (use.lookup > use.single + use.range) score -= 0.25;
  if (rows === 1 && isPeriodRow(grid, block)) score -= 0.25;
  if (cols === 1 && rows >= 3 && isCount(grid, block)) score -= 0.35;
  if (rows * cols > LARGE_TABLE) score -= 0.2;
  const shape = rows > 1 && cols > 1 ? 'matrix' : 'list';
  const label = rows === 1 ? cellLabel(grid, block) : blockLabel(grid, block, headerRowsOver(grid, block));
  if (!label) score -= 0.15;
  return createCandidate(grid.index, block, 'input', {
    shape,
    hasHeaders: false,
    label,
    score,
    reason: isRead ? { code: 'columnsRead' } : { code: 'labelled' },
  });
}

/** A row of texts, years or days right above, one for each column. */
function headerRowsOver(grid: SheetGrid, { top, left, right }: CellBlock): number {
  if (left === right) return 0;
  for (let col = left; col <= right; col++) {
    if (grid.contentAt(top - 1, col) === Content.Blank) return 0;
  }
  return 1;
}

/** An axis: 0, 100, 200, … */
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

/** Cells with a data validation that decides something, by key: a list, or bounds. */
function ruledCells(grid: SheetGrid): Set<number> {
  const cells = new Set<number>();
  for (const { type, blocks } of grid.model.validations) {
    if (type === 'none') continue;
    for (const { top, left, bottom, right } of blocks) {
      if ((bottom - top + 1) * (right - left + 1) > 100 || cells.size > 5_000) continue;
      for (let row = top; row <= bottom; row++) for (let col = left; col <= right; col++) cells.add(keyOf(row, col));
    }
  }
  return cells;
}

function singleInputs(grid: SheetGrid, look: InputLook, ruled: ReadonlySet<number>): Candidate[] {
  const found: Candidate[] = [];
  for (let at = 0; at < grid.count; at++) {
    if (grid.claimed[at] === 1) continue;
    const row = grid.row(at);
    const col = grid.col(at);
    if (grid.isCovered(row, col)) continue;
    const isText = grid.content(at) === Content.Text;
    if (!isText && !grid.isValue(at)) continue;
    const isRuled = ruled.has(keyOf(row, col));
    const isMarked = isRuled || isUnlocked(grid, at) || hasInputStyle(grid.style(at)) || look.isInput(grid.style(at));
    const single = grid.singleReads(at);
    const isRead = single > 0 || grid.rangeReads[at]! > 0;
    if (isText && !isMarked && single === 0) continue;
    const block = { top: row, left: col, bottom: row, right: col };
    const label = cellLabel(grid, block);
    if (isText && (!label || (label.at !== 'left' && !isRuled))) continue;
    if (isText && isLabelOfOther(grid, row, col) && !isRuled) continue;
    if (!isRead && !isMarked && !label) continue;
    const { score, reason } = singleScore(grid, at, { label, isRuled, isText, look });
    found.push(
      createCandidate(grid.index, block, 'input', { shape: 'value', hasHeaders: false, label, score, reason }),
    );
  }
  return found;
}

const isUnlocked = (grid: SheetGrid, at: number): boolean =>
  grid.model.isProtected === true && !grid.style(at).isLocked;

/** A text that formulas read may still be the label of the value on its right. */
function isLabelOfOther(grid: SheetGrid, row: number, col: number): boolean {
  const content = grid.contentAt(row, col + 1);
  return content !== Content.Blank && content !== Content.Text;
}

function singleScore(
  grid: SheetGrid,
  at: number,
  { label, isRuled, isText, look }: { label: Label | null; isRuled: boolean; isText: boolean; look: InputLook },
): { score: number; reason: ProposalReason } {
  const style = grid.style(at);
  const single = grid.singleReads(at);
  const range = grid.rangeReads[at]!;
  let score = 0.1;
  if (single > 0) score += 0.35 + Math.min(0.06, 0.02 * (single - 1));
  else if (range > 0) score += 0.22;
  if (label)
    score += label.at === 'left' ? (grid.col(at) - label.col <= 2 ? 0.22 : 0.17) : label.at === 'above' ? 0.14 : 0.05;
  else score -= 0.15;
  if (label && isTotalWord(label.text)) score -= 0.1;
  if (isText) score -= 0.1;
  if (grid.format(at) !== 'General') score += 0.03;
  if (isYearInTitle(grid, at)) score -= 0.25;
  if (isSeed(grid, at)) score -= 0.3;
  const reason: ProposalReason = { code: single + range > 0 ? 'readByFormulas' : 'labelled' };
  if (hasInputStyle(style) || look.isInput(style)) {
    score += 0.15;
    reason.code = 'inputStyle';
  }
  if (isRuled) {
    score += 0.2;
    reason.code = 'validation';
  }
  if (grid.model.isProtected) {
    score += style.isLocked ? -0.25 : 0.25;
    if (!style.isLocked) reason.code = 'unlocked';
  }
  return { score, reason };
}

/** The first cell of a column or row that formulas count on from: 1, =A1+1, … */
function isSeed(grid: SheetGrid, at: number): boolean {
  const row = grid.row(at);
  const col = grid.col(at);
  return [grid.at(row + 1, col), grid.at(row, col + 1)].some((next, index) => {
    const group = next < 0 ? undefined : grid.groups[next];
    const length = group ? (index === 0 ? group.bottom - group.top : group.right - group.left) + 1 : 0;
    const before = grid.at(row - (index === 0 ? 1 : 0), col - (index === 0 ? 0 : 1));
    return length >= 2 && grid.sweptReads[at]! > 0 && !grid.isValue(before);
  });
}

function isYearInTitle(grid: SheetGrid, at: number): boolean {
  const number = grid.number(at);
  const isYear = number !== null && Number.isInteger(number) && number >= 1900 && number <= 2100;
  return isYear && grid.row(at) < 4 && grid.format(at) === 'General' && grid.singleReads(at) === 0;
}

/** Blank cells that formulas read alone, or that are marked as cells to fill in, where a label names them. */
function blankInputs(grid: SheetGrid, look: InputLook, ruled: ReadonlySet<number>): Candidate[] {
  const keys = new Set([...grid.blankReads.keys(), ...ruled]);
  for (let at = 0; at < grid.count; at++) {
    if (grid.content(at) !== Content.Blank || keys.size > 20_000) continue;
    if (isUnlocked(grid, at) || hasInputStyle(grid.style(at)) || look.isInput(grid.style(at))) {
      keys.add(keyOf(grid.row(at), grid.col(at)));
    }
  }
  const found: Candidate[] = [];
  for (const key of keys) {
    const row = rowOfKey(key);
    const col = colOfKey(key);
    if (grid.contentAt(row, col) !== Content.Blank || grid.isCovered(row, col) || grid.isClaimed(row, col)) continue;
    const block = { top: row, left: col, bottom: row, right: col };
    const label = cellLabel(grid, block);
    if (!label || label.at === 'diagonal') continue;
    if (label.at === 'left' && col - label.col > 3) continue;
    const at = grid.at(row, col);
    const reads = grid.blankReads.get(key) ?? 0;
    const isMarked = hasInputStyle(grid.style(at)) || look.isInput(grid.style(at));
    let score = 0.1 + (label.at === 'left' ? 0.2 : 0.08);
    if (reads > 0) score += 0.25;
    if (ruled.has(key)) score += 0.2;
    if (isMarked) score += 0.15;
    if (grid.model.isProtected) score += at >= 0 && !grid.style(at).isLocked ? 0.25 : -0.25;
    const code = ruled.has(key)
      ? 'validation'
      : at >= 0 && isUnlocked(grid, at)
        ? 'unlocked'
        : reads > 0
          ? 'readByFormulas'
          : 'inputStyle';
    found.push(
      createCandidate(grid.index, block, 'input', {
        shape: 'value',
        hasHeaders: false,
        label,
        score,
        reason: { code },
      }),
    );
  }
  return found;
}
