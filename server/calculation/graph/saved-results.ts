/**
 * Saved results of formulas that cannot be calculated here, because they call a function of an add-in or a service, or
 * read another workbook without saved values. Excel without the add-in shows these results until something they read
 * changes. We do the same; after a change, the result is the error that calculating the formula yields.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { Code, Evaluation } from '../compile/code.ts';
import { sameValue } from '../compare-values.ts';
import { cellAt, cellsIn, savedValue } from '../reader/cell-index.ts';
import { CellKind } from '../reader/workbook-model.ts';
import type { WorkbookModel } from '../reader/workbook-model.ts';
import type { CellValue } from '../values/cell-value.ts';
import { ArrayMatrix } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { FormulaGroup } from './formula-groups.ts';
import { GroupIndex } from './group-index.ts';
import type { FormulaRecord } from './formula-trees.ts';
import { coveredBlock } from './reads.ts';
import type { Read } from './reads.ts';

/** Up to this many groups of a formula are searched one by one. */
const FEW = 8;

export class SavedResults {
  private readonly model: WorkbookModel;
  private readonly groups: readonly FormulaGroup[];
  private ownGroups: Map<FormulaRecord, FormulaGroup[]> | null = null;
  /** Indexes of formulas with many groups. */
  private readonly scattered = new Map<FormulaRecord, GroupIndex>();

  /** `groups` are those of the file. A formula at a position where the file does not have it uses no saved result. */
  constructor(model: WorkbookModel, groups: readonly FormulaGroup[]) {
    this.model = model;
    this.groups = groups;
  }

  /**
   * Returns code that yields the saved result while everything the formula reads is as saved, and otherwise runs the
   * formula's code.
   */
  before(code: Code, record: FormulaRecord, reads: readonly Read[]): Code {
    return (c) => {
      const saved = this.saved(record, c);
      return saved !== undefined && reads.every((read) => this.isAsSaved(read, c)) ? saved : code(c);
    };
  }

  /** Returns undefined if the file has no result of this formula in this cell. */
  private saved(record: FormulaRecord, { sheet, row, col }: Evaluation): FormulaValue {
    const group = this.groupAt(record, sheet, row, col);
    if (!group) return undefined;
    const value = this.valueAt(sheet, row, col);
    if (value === null) return undefined;
    const block = record.kind === 'array' ? group : group.spill;
    if (!block) return value;
    const cells: CellValue[] = [];
    for (let y = block.top; y <= block.bottom; y += 1) {
      for (let x = block.left; x <= block.right; x += 1) cells.push(this.valueAt(sheet, y, x));
    }
    return new ArrayMatrix(block.bottom - block.top + 1, block.right - block.left + 1, cells);
  }

  private valueAt(sheet: number, row: number, col: number): CellValue {
    const { cells } = this.model.sheets[sheet]!;
    const at = cellAt(cells, row, col);
    return at < 0 ? null : savedValue(cells, at, this.model.strings);
  }

  private isAsSaved(read: Read, c: Evaluation): boolean {
    const { sheet } = read;
    // Sheets of linked workbooks never change.
    if (sheet >= this.model.sheets.length) return true;
    const block = coveredBlock(read, { top: c.row, left: c.col, bottom: c.row, right: c.col });
    if (block.top === block.bottom && block.left === block.right) {
      return sameValue(this.valueAt(sheet, block.top, block.left), c.cell(sheet, block.top, block.left));
    }
    return this.isBlockAsSaved(sheet, block, c);
  }

  private isBlockAsSaved(sheet: number, block: CellBlock, c: Evaluation): boolean {
    let isSame = true;
    c.eachCell(sheet, block, (value, row, col) => {
      isSame = sameValue(this.valueAt(sheet, row, col), value);
      return !isSame;
    });
    if (!isSame) return false;
    const { cells } = this.model.sheets[sheet]!;
    for (const at of cellsIn(cells, block)) {
      if (cells.kinds[at] === CellKind.Blank) continue;
      c.spend(1);
      const value = c.cell(sheet, cells.rows[at]!, cells.cols[at]!);
      if (!sameValue(savedValue(cells, at, this.model.strings), value)) return false;
    }
    return true;
  }

  private groupAt(record: FormulaRecord, sheet: number, row: number, col: number): FormulaGroup | undefined {
    this.ownGroups ??= Map.groupBy(this.groups, (group) => group.record);
    const groups = this.ownGroups.get(record) ?? [];
    const covers = (own: FormulaGroup): boolean =>
      own.sheet === sheet && row >= own.top && row <= own.bottom && col >= own.left && col <= own.right;
    if (groups.length <= FEW) return groups.find(covers);
    let groupIndex = this.scattered.get(record);
    if (!groupIndex) this.scattered.set(record, (groupIndex = new GroupIndex(this.model.sheets.length, groups)));
    let found: FormulaGroup | undefined;
    groupIndex.visit(sheet, { top: row, left: col, bottom: row, right: col }, (at) => {
      if (covers(groups[at]!)) found ??= groups[at];
    });
    return found;
  }
}
