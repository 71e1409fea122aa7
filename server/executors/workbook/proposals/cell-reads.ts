/** Counts the formulas that read each cell of a workbook, in time linear in cells and formulas. */
import { cellsIn } from '#server/calculation/reader/cell-index.ts';
import { groupFormulas } from '#server/calculation/graph/formula-groups.ts';
import type { FormulaGroup } from '#server/calculation/graph/formula-groups.ts';
import { formulaRecords } from '#server/calculation/graph/formula-trees.ts';
import type { FormulaRecord } from '#server/calculation/graph/formula-trees.ts';
import { coveredBlock, readsOf } from '#server/calculation/graph/reads.ts';
import type { Read } from '#server/calculation/graph/reads.ts';
import { Scope } from '#server/calculation/graph/scope.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { walk } from '#server/calculation/syntax/traverse.ts';
import { PROPOSAL_LIMITS } from './candidate.ts';
import { Content, keyOf } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';

export interface GroupReads {
  group: FormulaGroup;
  reads: readonly Read[];
}

/**
 * Returns true if a formula consists only of numbers, operators and plain calls. Other calls may depend on time, chance
 * or computed references.
 */
function isConstantTree({ tree }: FormulaRecord): boolean {
  let isPlain = tree !== null;
  if (tree) {
    walk(tree, (node) => {
      if (node.type === 'text' || node.type === 'name' || node.type === 'reference' || node.type === 'structured')
        isPlain = false;
      if (node.type === 'call' && !PLAIN_CALLS.has(node.name)) isPlain = false;
      if (node.type === 'error' || node.type === 'invoke') isPlain = false;
    });
  }
  return isPlain;
}

const PLAIN_CALLS = new Set(['SUM', 'TRUE', 'FALSE', 'DATE', 'TIME', 'VALUE', 'PI', 'ROUND', 'SQRT']);

interface Span {
  top: number;
  bottom: number;
  use: Use;
}

/**
 * How formulas read a cell: this exact cell, each formula another cell of its row or column, as part of a range, as
 * part of a searched range, or only to repeat it.
 */
type Use = 'fixed' | 'swept' | 'range' | 'lookup' | 'echo';

/** These formulas display other formulas and use no values. */
const SHOWS_FORMULAS = /^(?:_xlfn\.)?FORMULATEXT\(/i;
const LOOKUPS = /(?:LOOKUP|MATCH|INDEX)\(/i;

/** Maximum size of a block of blank cells that is remembered because formulas read its cells individually. */
const MAX_BLANKS = 200;
const MAX_BLANK_CELLS = 20_000;
/** Maximum number of ranges remembered per sheet. */
const MAX_RANGES = 2_000;

/** Fills in the reads and formula groups of all grids, and returns what each group reads. */
export function addReads(model: WorkbookModel, grids: readonly SheetGrid[]): GroupReads[] {
  const scope = new Scope(model);
  const records = formulaRecords(model, scope);
  const known = new Map<FormulaRecord, readonly Read[]>();
  const found: GroupReads[] = [];
  const columns = grids.map(() => new Map<number, Span[]>());
  let left: number = PROPOSAL_LIMITS.reads;
  for (const grid of grids) {
    const { cells } = grid.model;
    // Limit the work, because several array formulas may claim to fill the same cells.
    let filled = 2 * grid.count;
    for (const group of groupFormulas(grid.index, cells, records[grid.index]!)) {
      let reads = known.get(group.record);
      if (!reads) known.set(group.record, (reads = recordReads(group.record, scope, grids.length)));
      const isConstant = reads.length === 0 && isConstantTree(group.record);
      const isArray = group.record.kind !== 'cells';
      for (const at of cellsIn(cells, group.spill ?? group)) {
        if (at >= grid.count || (isArray && filled-- <= 0)) break;
        if (isConstant) grid.isConstant[at] = 1;
        else grid.groups[at] = group;
        if (isArray) grid.isFilled[at] = 1;
      }
      if (isConstant) continue;
      found.push({ group, reads });
      for (const read of reads) {
        if (left-- <= 0) continue;
        const text = cells.formulaTable[cells.formulas[grid.at(group.top, group.left)] ?? -1]?.text ?? '';
        if (SHOWS_FORMULAS.test(text)) continue;
        addSpan(grids[read.sheet]!, columns[read.sheet]!, { read, group, isLookup: LOOKUPS.test(text) });
      }
    }
  }
  grids.forEach((grid, index) => countReads(grid, columns[index]!));
  return found;
}

/** Sheets of linked workbooks follow the workbook's own sheets. */
const recordReads = ({ tree, sheet }: FormulaRecord, scope: Scope, sheets: number): readonly Read[] =>
  tree ? readsOf(tree, sheet, scope).reads.filter((read) => read.sheet < sheets) : [];

function addSpan(
  grid: SheetGrid,
  columns: Map<number, Span[]>,
  { read, group, isLookup }: { read: Read; group: FormulaGroup; isLookup: boolean },
): void {
  const block = coveredBlock(read, group);
  const isSingle = isSingleCell(read);
  const use: Use = isSingle ? (sizeOf(block) === 1 ? 'fixed' : 'swept') : isLookup ? 'lookup' : 'range';
  if (isSingle && sizeOf(block) <= MAX_BLANKS) addBlanks(grid, block);
  if (use === 'range' && grid.rangeBlocks.length < MAX_RANGES) grid.rangeBlocks.push(block);
  const { top, bottom } = block;
  const { tree } = group.record;
  const isEcho = tree?.type === 'reference' || tree?.type === 'name';
  // Reads of whole rows reveal little about a cell, and would need a span for each column.
  if (block.right - block.left > 255) return;
  for (let col = block.left; col <= block.right; col++) {
    let spans = columns.get(col);
    if (!spans) columns.set(col, (spans = []));
    spans.push({ top, bottom, use });
    if (isEcho) spans.push({ top, bottom, use: 'echo' });
  }
}

const isSingleCell = ({ row1, col1, row2, col2, absolute }: Read): boolean =>
  row1 === row2 && col1 === col2 && (absolute & 3) === absolute >> 2;

const sizeOf = ({ top, left, bottom, right }: CellBlock): number => (bottom - top + 1) * (right - left + 1);

function addBlanks(grid: SheetGrid, { top, left, bottom, right }: CellBlock): void {
  if (grid.blankReads.size > MAX_BLANK_CELLS) return;
  for (let row = top; row <= bottom; row++) {
    for (let col = left; col <= right; col++) {
      if (grid.contentAt(row, col) !== Content.Blank) continue;
      const key = keyOf(row, col);
      grid.blankReads.set(key, (grid.blankReads.get(key) ?? 0) + 1);
    }
  }
}

/** Sweeps down each column to count its reads. */
function countReads(grid: SheetGrid, columns: ReadonlyMap<number, Span[]>): void {
  const byColumn = new Map<number, number[]>();
  for (let at = 0; at < grid.count; at++) {
    const col = grid.col(at);
    if (!columns.has(col)) continue;
    const cells = byColumn.get(col);
    if (cells) cells.push(at);
    else byColumn.set(col, [at]);
  }
  for (const [col, cells] of byColumn) {
    const spans = Map.groupBy(columns.get(col)!, ({ use }) => use);
    sweep(grid, cells, spans.get('fixed') ?? [], grid.fixedReads);
    sweep(grid, cells, spans.get('swept') ?? [], grid.sweptReads);
    sweep(grid, cells, spans.get('range') ?? [], grid.rangeReads);
    sweep(grid, cells, spans.get('lookup') ?? [], grid.lookupReads);
    sweep(grid, cells, spans.get('echo') ?? [], grid.echoReads);
  }
}

function sweep(grid: SheetGrid, cells: readonly number[], spans: readonly Span[], counts: Uint16Array): void {
  const tops = spans.map(({ top }) => top).sort((a, b) => a - b);
  const bottoms = spans.map(({ bottom }) => bottom).sort((a, b) => a - b);
  let opened = 0;
  let closed = 0;
  for (const at of cells) {
    const row = grid.row(at);
    while (opened < tops.length && tops[opened]! <= row) opened++;
    while (closed < bottoms.length && bottoms[closed]! < row) closed++;
    counts[at] = Math.min(opened - closed, 65_535);
  }
}
