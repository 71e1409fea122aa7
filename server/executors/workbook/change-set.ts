/** The changes to a workbook by sheet, row and column. */
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { cellAt, sameValue, savedValue } from '#server/calculation/reader/cell-index.ts';
import { damaged } from '#server/calculation/reader/workbook-file-error.ts';
import type { FormulaModel, SheetModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { CellChange } from './cell-xml.ts';
import { fillFormula } from './grown-references.ts';

export type SheetRows = Map<number, Map<number, CellChange>>;

export class ChangeSet {
  readonly model: WorkbookModel;
  readonly sheets = new Map<number, SheetRows>();

  constructor(model: WorkbookModel) {
    this.model = model;
  }

  /** Returns the change of a cell, and creates an empty one if there is none yet. */
  at(sheet: number, row: number, col: number): CellChange {
    const rows = getOr(this.sheets, sheet, () => new Map());
    const cells = getOr(rows, row, () => new Map<number, CellChange>());
    return getOr(cells, col, () => ({}));
  }

  has(sheet: number, row: number, col: number): boolean {
    return this.sheets.get(sheet)?.get(row)?.has(col) ?? false;
  }

  /** Records a new result, unless the file already has it: unchanged cells stay byte for byte. */
  setResult(sheet: number, row: number, col: number, value: CellValue): void {
    const { cells } = this.model.sheets[sheet]!;
    const at = cellAt(cells, row, col);
    const saved = at < 0 ? null : savedValue(cells, at, this.model.strings);
    if (this.has(sheet, row, col) || !sameValue(saved, value)) this.at(sheet, row, col).value = value;
  }

  /** Returns the formula stored in a cell, as it reads there; null for a constant. */
  formulaText(sheet: number, row: number, col: number): string | null {
    const record = this.formula(sheet, row, col);
    if (!record || record.kind === 'dataTable') return null;
    if (record.kind !== 'shared' && record.kind !== 'filled') return record.text;
    const text = fillFormula(record.text, record.cell, { row, col });
    if (text !== null) return text;
    const name = this.model.sheets[sheet]!.name;
    throw damaged(`the formula that cell ${formatCell(row, col)} of sheet '${name}' shares cannot be read`);
  }

  formula(sheet: number, row: number, col: number): FormulaModel | undefined {
    const { cells } = this.model.sheets[sheet]!;
    const at = cellAt(cells, row, col);
    return at < 0 || cells.formulas[at]! < 0 ? undefined : cells.formulaTable[cells.formulas[at]!];
  }

  /** Returns what makes a formula a single-cell array formula at `to`, if the formula at `from` is an array formula. */
  arrayOf(sheet: number, from: CellPosition, to: CellPosition): Pick<CellChange, 'arrayBlock' | 'metadata'> {
    const kind = this.formula(sheet, from.row, from.col)?.kind;
    if (kind !== 'array' && kind !== 'dynamicArray') return {};
    const metadata = kind === 'dynamicArray' ? this.model.dynamicArrayMetadata : undefined;
    return {
      arrayBlock: { top: to.row, left: to.col, bottom: to.row, right: to.col },
      ...(metadata === undefined ? {} : { metadata }),
    };
  }

  /** Returns the style of a cell, whether the file stores the cell or not. */
  style(sheet: number, row: number, col: number): number {
    const model = this.model.sheets[sheet]!;
    const at = cellAt(model.cells, row, col);
    return at >= 0 ? model.cells.styles[at]! : emptyStyle(model, row, col);
  }

  /**
   * If the first cell of a shared formula loses it, writes the formula into each of the other cells. They only refer to
   * the first cell.
   */
  releaseShared(): void {
    for (const [sheet, rows] of this.sheets) {
      const { cells } = this.model.sheets[sheet]!;
      const broken = new Set<number>();
      for (const [row, changes] of rows) {
        for (const [col, change] of changes) {
          const at = change.formula === undefined ? -1 : cellAt(cells, row, col);
          const record = at < 0 ? undefined : cells.formulaTable[cells.formulas[at]!];
          if (record?.kind === 'shared' && record.cell.row === row && record.cell.col === col) {
            broken.add(cells.formulas[at]!);
          }
        }
      }
      if (broken.size > 0) this.writeOut(sheet, broken);
    }
  }

  /** Returns true if formulas are added or removed, which makes the calculation chain of the file wrong. */
  changesFormulas(): boolean {
    for (const [sheet, rows] of this.sheets) {
      for (const [row, changes] of rows) {
        for (const [col, { formula }] of changes) {
          if (formula !== undefined && (formula === null) !== !this.formula(sheet, row, col)) return true;
        }
      }
    }
    return false;
  }

  private writeOut(sheet: number, broken: ReadonlySet<number>): void {
    const { cells } = this.model.sheets[sheet]!;
    for (let at = 0; at < cells.count; at++) {
      if (!broken.has(cells.formulas[at]!)) continue;
      const row = cells.rows[at]!;
      const col = cells.cols[at]!;
      const change = this.at(sheet, row, col);
      if (change.formula === undefined) change.formula = this.formulaText(sheet, row, col);
    }
  }
}

/** Returns the style of a cell the file does not have: that of its row, otherwise of its column. */
export function emptyStyle(sheet: SheetModel, row: number, col: number): number {
  const ofRow = sheet.rowStyles.get(row);
  if (ofRow !== undefined) return ofRow;
  return sheet.columnStyles.find(({ first, last }) => col >= first && col <= last)?.style ?? 0;
}

function getOr<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
