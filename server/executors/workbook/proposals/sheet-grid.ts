/** One sheet as proposals see it: its cells by address, their contents, and how formulas read them. */
import { cellAt, firstCellFrom } from '#server/calculation/reader/cell-index.ts';
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { SheetModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { FormulaGroup } from '#server/calculation/graph/formula-groups.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { isDate } from '#shared/codecs/format-value.ts';
import { PLAIN_STYLE } from './cell-styles.ts';
import type { CellStyle } from './cell-styles.ts';
import type { WorkbookLooks } from './workbook-looks.ts';

/** Content types of a cell. */
export const Content = { Blank: 0, Text: 1, Number: 2, Date: 3, Boolean: 4, Error: 5, Formula: 6 } as const;
export type ContentOf = (typeof Content)[keyof typeof Content];

/** Maximum number of cells covered by merged ranges; any beyond it count as plain cells. */
const MAX_MERGED = 100_000;
const ROW = 16_384;

export class SheetGrid {
  readonly index: number;
  readonly model: SheetModel;
  /** Number of stored cells that are examined. */
  readonly count: number;
  /**
   * Per stored cell, the number of formula groups that read it: this exact cell; each formula another cell of its row
   * or column; as part of a range; as part of a searched range.
   */
  readonly fixedReads: Uint16Array;
  readonly sweptReads: Uint16Array;
  readonly rangeReads: Uint16Array;
  readonly lookupReads: Uint16Array;
  /** The number of those that only repeat the cell. */
  readonly echoReads: Uint16Array;
  /** Per stored cell: its formula group, if any. */
  readonly groups: (FormulaGroup | undefined)[] = [];
  /** 1 for formulas that read no cell and always return the same value, such as '=85/2': they count as typed in. */
  readonly isConstant: Uint8Array;
  /** 1 for cells that an array formula or data table in another cell fills. */
  readonly isFilled: Uint8Array;
  /** 1 for cells that a candidate has claimed. */
  readonly claimed: Uint8Array;
  /** Blank cells that formulas read individually, by key, with the number of reads. */
  readonly blankReads = new Map<number, number>();
  /** Ranges that formulas read as a whole, such as the rows of a sum. */
  readonly rangeBlocks: CellBlock[] = [];
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

  /** Returns the index of a cell among the examined stored cells, or -1. */
  at(row: number, col: number): number {
    if (row < 0 || col < 0) return -1;
    const at = cellAt(this.model.cells, row, col);
    return at < this.count ? at : -1;
  }

  /** Returns the number of reads of the individual cell. */
  singleReads(at: number): number {
    return this.fixedReads[at]! + this.sweptReads[at]!;
  }

  /** Returns true if formulas use the cell for more than repeating it. */
  isRead(at: number): boolean {
    return this.singleReads(at) + this.rangeReads[at]! + this.lookupReads[at]! > this.echoReads[at]!;
  }

  row(at: number): number {
    return this.model.cells.rows[at]!;
  }

  col(at: number): number {
    return this.model.cells.cols[at]!;
  }

  /** Returns the content type of a stored cell; Blank for -1. */
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

  groupAt(row: number, col: number): FormulaGroup | undefined {
    const at = this.at(row, col);
    return at < 0 ? undefined : this.groups[at];
  }

  contentAt(row: number, col: number): ContentOf {
    return this.content(this.at(row, col));
  }

  /** Returns true for a typed-in number, date or Boolean. */
  isValue(at: number): boolean {
    const content = this.content(at);
    return content === Content.Number || content === Content.Date || content === Content.Boolean;
  }

  /** Returns the text of a cell or of a formula's result; '' if there is none. */
  text(at: number): string {
    if (at < 0 || this.model.cells.kinds[at] !== CellKind.Text) return '';
    return (this.strings[this.model.cells.values[at]!] ?? '').trim().replace(/\s+/g, ' ');
  }

  number(at: number): number | null {
    return at >= 0 && this.model.cells.kinds[at] === CellKind.Number ? this.model.cells.values[at]! : null;
  }

  /** Returns the type of a cell's saved value. */
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

  /** Returns the merged range that covers a cell. */
  mergeAt(row: number, col: number): CellBlock | null {
    return this.merged.get(keyOf(row, col)) ?? null;
  }

  /** Returns true if the cell is hidden by the first cell of its merged range. */
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
