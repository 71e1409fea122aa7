/**
 * Groups formula cells: a rectangle of cells with the same formula (relative to each cell) is one group, however many
 * cells it has. Groups never change. A cell of the store contains the number of its group, and edits overwrite it.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { SheetCells } from '../reader/workbook-model.ts';
import type { FormulaRecord } from './formula-trees.ts';

export interface FormulaGroup extends CellBlock {
  readonly sheet: number;
  readonly record: FormulaRecord;
  /** For a dynamic array: the cells it filled when the file was saved, or null if only its own. */
  readonly spill: CellBlock | null;
}

type OpenGroup = { -readonly [K in keyof FormulaGroup]: FormulaGroup[K] };

/** Returns the groups of one sheet; `records` is indexed like the sheet's formula table. */
export function groupFormulas(sheet: number, cells: SheetCells, records: readonly FormulaRecord[]): FormulaGroup[] {
  const { count, rows, cols, formulas, formulaTable } = cells;
  const runs: OpenGroup[] = [];
  /** The last run of each column. */
  const last: (OpenGroup | undefined)[] = [];
  for (let at = 0; at < count; at += 1) {
    const index = formulas[at]!;
    if (index < 0) continue;
    const record = records[index]!;
    const row = rows[at]!;
    const col = cols[at]!;
    if (record.kind === 'cells') {
      const above = last[col];
      if (above && above.record === record && above.bottom === row - 1) above.bottom = row;
      else runs.push((last[col] = { sheet, record, spill: null, top: row, left: col, bottom: row, right: col }));
      continue;
    }
    const { block, cell } = formulaTable[index]!;
    // The file may contain the text of an array formula only in its first cell, or in each cell.
    if (cell.row !== row || cell.col !== col) continue;
    const own = { top: row, left: col, bottom: row, right: col };
    const isDynamic = record.kind === 'dynamic';
    const spill = isDynamic && block && (block.bottom > row || block.right > col) ? block : null;
    runs.push({ sheet, record, spill, ...(isDynamic ? own : (block ?? own)) });
  }
  return joinColumns(runs);
}

/** Joins adjacent runs with the same formula to one rectangle. */
function joinColumns(runs: OpenGroup[]): FormulaGroup[] {
  runs.sort((a, b) => a.left - b.left || a.top - b.top);
  const byRight = new Map<FormulaRecord, Map<number, OpenGroup>>();
  const groups: FormulaGroup[] = [];
  for (const run of runs) {
    if (run.record.kind === 'cells') {
      let own = byRight.get(run.record);
      if (!own) byRight.set(run.record, (own = new Map()));
      const beside = own.get(cellKey(run.top, run.left - 1));
      if (beside && beside.bottom === run.bottom) {
        own.delete(cellKey(run.top, run.left - 1));
        beside.right = run.left;
        own.set(cellKey(run.top, run.left), beside);
        continue;
      }
      own.set(cellKey(run.top, run.left), run);
    }
    groups.push(run);
  }
  return groups;
}

const cellKey = (row: number, col: number): number => row * 16_384 + col;
