/** One sheet as proposals look at it: its cells by address, what stands in them, and who reads them. */
import { cellAt, firstCellFrom } from '#server/calculation/reader/cell-index.ts';
import { PLAIN_STYLE } from '#server/calculation/reader/cell-styles.ts';
import type { CellStyle } from '#server/calculation/reader/cell-styles.ts';
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { SheetModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { FormulaGroup } from '#server/calculation/graph/formula-groups.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { isDate } from '#shared/codecs/format-value.ts';
import type { WorkbookLooks } from './workbook-looks.ts';

/** What a cell is to the proposals. */
export const Content = { Blank: 0, Text: 1, Number: 2, Date: 3, Boolean: 4, Error: 5, Formula: 6 } as const;
export type ContentOf = (typeof Content)[keyof typeof Content];

/** Cells that merged ranges cover which are remembered; beyond, they count as plain cells. */
const MAX_MERGED = 100_000;
const ROW = 16_384;

export class SheetGrid {
  readonly index: number;
  readonly model: SheetModel;
  /** Stored cells that are looked at. */
  readonly count: number;
  /**
   * By stored cell, how many blocks of formulas read it: this very cell; each formula another cell of its row or column;
   * within a range; within a range that they search.
   */
  readonly fixedReads: Uint16Array;
  readonly sweptReads: Uint16Array;
  readonly rangeReads: Uint16Array;
  readonly lookupReads: Uint16Array;
  /** Of these, by formulas that only repeat the cell. */
  readonly echoReads: Uint16Array;
  /** By stored cell: its formula group, or null. */
  readonly groups: (FormulaGroup | undefined)[] = [];
  /** 1 for formulas that read no cell and give the same at any time, as '=85/2': they are typed in. */
  readonly isConstant: Uint8Array;
  /** 1 for cells that an array formula or data table of another cell fills. */
  readonly isFilled: Uint8Array;
  /** Cells that a candidate has taken. */
  readonly claimed: Uint8Array;
  /** Blank cells that formulas read alone, by key, with how many reads. */
  readonly blankReads = new Map<number, number>();
  private readonly strings: readonly string[];
  private readonly formats: readonly string[];
  private readonly styles: readonly CellStyle[];
  private readonly merged = new Map<number, CellBlock>();
  private readonly dateStyles = new Map<number, boolean>();

  constructor(model: WorkbookModel, index: number, looks: WorkbookLooks, maxCells: number) {
    this.index = index;
    this.model = model.sheets[index]!;
    this.count = Math.min(this.model.cells.count, maxCells);
    this.strings = model.strings;
    this.formats = model.numberFormats;
    this.styles = looks.styles;
    this.fixedReads = new Uint16Array(this.count);
    this.sweptReads = new Uint16Array(this.count);
    this.rangeReads = new Uint16Array(this.count);
    this.lookupReads = new Uint16Array(this.count);
    this.echoReads = new Uint16Array(this.count);
    this.isConstant = new Uint8Array(this.count);
    this.isFilled = new Uint8Array(this.count);
    this.claimed = new Uint8Array(this.count);
    for (const block of this.model.merges) {
      const size = (block.bottom - block.top + 1) * (block.right - block.left + 1);
      if (this.merged.size + size > MAX_MERGED) break;
      for (let row = block.top; row <= block.bottom; row++) {
        for (let col = block.left; col <= block.right; col++) this.merged.set(keyOf(row, col), block);
      }
    }
  }

  /** Place of a cell among the stored ones that are looked at, or -1. */
  at(row: number, col: number): number {
    if (row < 0 || col < 0) return -1;
    const at = cellAt(this.model.cells, row, col);
    return at < this.count ? at : -1;
  }

  /** Reads of the cell alone. */
  singleReads(at: number): number {
    return this.fixedReads[at]! + this.sweptReads[at]!;
  }

  /** Formulas work with it; a place that repeats it does not count. */
  isRead(at: number): boolean {
    return this.singleReads(at) + this.rangeReads[at]! + this.lookupReads[at]! > this.echoReads[at]!;
  }

  row(at: number): number {
    return this.model.cells.rows[at]!;
  }

  col(at: number): number {
    return this.model.cells.cols[at]!;
  }

  /** What stands in a stored cell; Blank for -1. */
  content(at: number): ContentOf {
    if (at < 0) return Content.Blank;
    const { kinds, formulas, styles, values } = this.model.cells;
    if (this.isFilled[at] === 1 || (formulas[at]! >= 0 && this.isConstant[at] === 0)) return Content.Formula;
    switch (kinds[at]) {
      case CellKind.Number:
        return this.isDateStyle(styles[at]!) ? Content.Date : Content.Number;
      case CellKind.Text:
        return (this.strings[values[at]!] ?? '').trim() === '' ? Content.Blank : Content.Text;
      case CellKind.Boolean:
        return Content.Boolean;
      case CellKind.Error:
        return Content.Error;
      default:
        return Content.Blank;
    }
  }

  contentAt(row: number, col: number): ContentOf {
    return this.content(this.at(row, col));
  }

  /** A typed-in number, day or truth value. */
  isValue(at: number): boolean {
    const content = this.content(at);
    return content === Content.Number || content === Content.Date || content === Content.Boolean;
  }

  /** The text of a cell, that of a formula's result too; '' where there is none. */
  text(at: number): string {
    if (at < 0 || this.model.cells.kinds[at] !== CellKind.Text) return '';
    return (this.strings[this.model.cells.values[at]!] ?? '').trim().replace(/\s+/g, ' ');
  }

  number(at: number): number | null {
    return at >= 0 && this.model.cells.kinds[at] === CellKind.Number ? this.model.cells.values[at]! : null;
  }

  /** Kind of the value saved with a cell. */
  savedKind(at: number): number {
    return at < 0 ? CellKind.Blank : this.model.cells.kinds[at]!;
  }

  formulaText(at: number): string {
    const formula = at < 0 ? -1 : this.model.cells.formulas[at]!;
    return formula < 0 ? '' : this.model.cells.formulaTable[formula]!.text;
  }

  style(at: number): CellStyle {
    return at < 0 ? PLAIN_STYLE : (this.styles[this.model.cells.styles[at]!] ?? PLAIN_STYLE);
  }

  format(at: number): string {
    return at < 0 ? 'General' : (this.formats[this.model.cells.styles[at]!] ?? 'General');
  }

  isDateStyle(style: number): boolean {
    let known = this.dateStyles.get(style);
    if (known === undefined) this.dateStyles.set(style, (known = isDate(this.formats[style] ?? 'General')));
    return known;
  }

  /** The merged range that covers a cell. */
  mergeAt(row: number, col: number): CellBlock | null {
    return this.merged.get(keyOf(row, col)) ?? null;
  }

  /** Whether the cell is hidden behind the first cell of its merged range. */
  isCovered(row: number, col: number): boolean {
    const merge = this.mergeAt(row, col);
    return merge !== null && (merge.top !== row || merge.left !== col);
  }

  isClaimed(row: number, col: number): boolean {
    const at = this.at(row, col);
    return at >= 0 && this.claimed[at] === 1;
  }

  claim(block: CellBlock): void {
    for (let row = block.top; row <= block.bottom; row++) {
      const first = firstCellFrom(this.model.cells, row, block.left);
      for (let at = first; at < this.count && this.row(at) === row && this.col(at) <= block.right; at++) {
        this.claimed[at] = 1;
      }
    }
  }
}

export const keyOf = (row: number, col: number): number => row * ROW + col;
export const rowOfKey = (key: number): number => Math.floor(key / ROW);
export const colOfKey = (key: number): number => key % ROW;
