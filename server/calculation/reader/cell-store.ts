/** Collects the cells of a sheet in growing typed arrays. */
import type { FormulaModel, SheetCells } from './workbook-model.ts';

export class CellStore {
  count = 0;
  readonly formulaTable: FormulaModel[] = [];
  private sorted = true;
  private rows = new Uint32Array(256);
  private cols = new Uint16Array(256);
  private kinds = new Uint8Array(256);
  private values = new Float64Array(256);
  private styles = new Uint32Array(256);
  private formulas = new Int32Array(256);

  add(row: number, col: number, kind: number, value: number, style: number, formula: number): void {
    const at = this.count++;
    if (at === this.rows.length) this.grow(at * 2);
    if (this.sorted && at > 0) {
      const lastRow = this.rows[at - 1]!;
      if (row < lastRow || (row === lastRow && col <= this.cols[at - 1]!)) this.sorted = false;
    }
    this.rows[at] = row;
    this.cols[at] = col;
    this.kinds[at] = kind;
    this.values[at] = value;
    this.styles[at] = style;
    this.formulas[at] = formula;
  }

  /** Replaces the formula of a cell that was already added. */
  setFormula(at: number, formula: number): void {
    this.formulas[at] = formula;
  }

  position(at: number): { row: number; col: number } {
    return { row: this.rows[at]!, col: this.cols[at]! };
  }

  finish(): SheetCells {
    if (!this.sorted) this.sort();
    const { count, formulaTable } = this;
    return {
      count,
      rows: this.rows.slice(0, count),
      cols: this.cols.slice(0, count),
      kinds: this.kinds.slice(0, count),
      values: this.values.slice(0, count),
      styles: this.styles.slice(0, count),
      formulas: this.formulas.slice(0, count),
      formulaTable,
    };
  }

  private grow(length: number): void {
    this.rows = copyInto(this.rows, new Uint32Array(length));
    this.cols = copyInto(this.cols, new Uint16Array(length));
    this.kinds = copyInto(this.kinds, new Uint8Array(length));
    this.values = copyInto(this.values, new Float64Array(length));
    this.styles = copyInto(this.styles, new Uint32Array(length));
    this.formulas = copyInto(this.formulas, new Int32Array(length));
  }

  /** Excel writes cells in order; some exporters do not. If two cells have the same address, the later one wins. */
  private sort(): void {
    const order = new Uint32Array(this.count).map((_, index) => index);
    const { rows, cols } = this;
    order.sort((a, b) => rows[a]! - rows[b]! || cols[a]! - cols[b]! || a - b);
    const remaining = order.filter((at, index) => {
      const next = order[index + 1];
      return next === undefined || rows[at] !== rows[next] || cols[at] !== cols[next];
    });
    const old = { rows, cols, kinds: this.kinds, values: this.values, styles: this.styles, formulas: this.formulas };
    this.count = remaining.length;
    this.rows = new Uint32Array(remaining.length);
    this.cols = new Uint16Array(remaining.length);
    this.kinds = new Uint8Array(remaining.length);
    this.values = new Float64Array(remaining.length);
    this.styles = new Uint32Array(remaining.length);
    this.formulas = new Int32Array(remaining.length);
    for (const [to, from] of remaining.entries()) {
      this.rows[to] = old.rows[from]!;
      this.cols[to] = old.cols[from]!;
      this.kinds[to] = old.kinds[from]!;
      this.values[to] = old.values[from]!;
      this.styles[to] = old.styles[from]!;
      this.formulas[to] = old.formulas[from]!;
    }
    this.sorted = true;
  }
}

function copyInto<T extends { set(source: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
