/**
 * Infers the type of value that belongs in cells without a value or format. It examines how the workbook's formulas use
 * the cells, and follows formulas that only pass a value on (=B2, IF(B2="",0,B2)).
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { Dependents } from '../graph/dependents.ts';
import { groupFormulas } from '../graph/formula-groups.ts';
import type { FormulaGroup } from '../graph/formula-groups.ts';
import { formulaRecords } from '../graph/formula-trees.ts';
import type { FormulaRecord } from '../graph/formula-trees.ts';
import { Scope } from '../graph/scope.ts';
import type { SheetBlock } from '../graph/scope.ts';
import { cellAt } from '../reader/cell-index.ts';
import type { WorkbookModel } from '../reader/workbook-model.ts';
import { cellUses } from './cell-uses.ts';
import type { CellUse } from './cell-uses.ts';
import { ResultTypes } from './result-types.ts';
import { ruleUses } from './rule-uses.ts';
import type { CellTypes, FormulaPosition, ValueKind } from './value-kind.ts';
import { Strength } from './wanted.ts';

/** The use that decided the type. */
export interface Evidence extends FormulaPosition {
  kind: ValueKind;
  /**
   * The function or operator; 'format' if a cell shows the value with a number format; 'validation' if a data
   * validation reads the cell.
   */
  by: string;
}

/** Maximum number of uses examined for a block of cells, including the uses of cells that pass its values on. */
const MAX_USES = 5_000;

/**
 * Among uses of equal strength, the most specific type wins: a date can also be used as a number, and a number can also
 * be shown as text.
 */
const RANK: Record<ValueKind, number> = { Date: 3, Number: 2, Boolean: 1, Text: 0 };

interface Found extends Evidence {
  strength: number;
}

export class FormulaTypes {
  private readonly model: WorkbookModel;
  private readonly cells: CellTypes;
  private readonly scope: Scope;
  private readonly results: ResultTypes;
  private own: { records: FormulaRecord[][]; uses: { group: FormulaGroup; use: CellUse }[]; users: Dependents } | null =
    null;

  constructor(model: WorkbookModel, cells: CellTypes, kindOfFormat: (code: string) => ValueKind | null) {
    this.model = model;
    this.cells = cells;
    this.scope = new Scope(model);
    this.results = new ResultTypes(model, this.scope, cells, kindOfFormat);
  }

  /** Infers the type from the formulas that use the cells; null if they give no evidence. */
  evidence(sheet: number, block: CellBlock): Evidence | null {
    const open: SheetBlock[] = [{ sheet, block }];
    const seen = new Set<string>();
    let best: Found | null = null;
    let count = 0;
    const { uses, users } = this.index();
    for (let next = open.pop(); next; next = open.pop()) {
      if (count > MAX_USES) break;
      users.visit(next.sheet, next.block, (number, cells) => {
        if (++count > MAX_USES) return;
        const { group, use } = uses[number]!;
        const found = this.findingOf(group, use, cells);
        if (found && (!best || isBetter(found, best))) best = found;
        if (use.kind !== 'result') return;
        const key = `${group.sheet}:${cells.top}:${cells.left}:${cells.bottom}:${cells.right}`;
        if (!seen.has(key)) open.push({ sheet: group.sheet, block: cells });
        seen.add(key);
      });
    }
    return best;
  }

  /**
   * Infers the type of a cell's formula from its functions and the cells it reads; null if there is no formula or no
   * evidence.
   */
  result(sheet: number, row: number, col: number): ValueKind | null {
    const { cells } = this.model.sheets[sheet]!;
    const at = cellAt(cells, row, col);
    const formula = at < 0 ? -1 : cells.formulas[at]!;
    const tree = formula < 0 ? null : this.index().records[sheet]![formula]!.tree;
    return tree && this.results.of(tree, { sheet, row, col });
  }

  private findingOf(group: FormulaGroup, { kind, strength, by }: CellUse, cells: CellBlock): Found | null {
    const isOne = group.record.kind !== 'cells';
    const at = {
      sheet: group.sheet,
      row: isOne ? group.top : cells.top,
      col: isOne ? group.left : cells.left,
    };
    if (kind === 'result') {
      const shown = this.cells.ofFormat(at.sheet, at.row, at.col);
      return shown && { ...at, kind: shown, strength: shown === 'Text' ? Strength.text : strength, by: 'format' };
    }
    const decided = typeof kind === 'function' ? kind(at) : kind;
    return decided && { ...at, kind: decided, strength, by };
  }

  private index(): NonNullable<typeof this.own> {
    if (this.own) return this.own;
    const { model, scope } = this;
    const records = formulaRecords(model, scope);
    const groups = model.sheets.flatMap(({ cells }, sheet) => groupFormulas(sheet, cells, records[sheet]!));
    const known = new Map<FormulaRecord, CellUse[]>();
    const uses = groups.flatMap((group) => {
      const { record } = group;
      let own = known.get(record);
      if (!own) known.set(record, (own = this.usesOf(record)));
      return own.map((use) => ({ group, use }));
    });
    uses.push(...ruleUses(model, scope, this.results));
    const users = new Dependents(
      model.sheets.length,
      uses.map(({ group }) => group),
      (number) => [uses[number]!.use.read],
    );
    return (this.own = { records, uses, users });
  }

  /**
   * Sheets of linked workbooks come after the workbook's own sheets and are excluded, because they are never inputs.
   */
  private usesOf({ tree, sheet }: FormulaRecord): CellUse[] {
    if (!tree) return [];
    return cellUses(tree, sheet, this.scope, this.results).filter(({ read }) => read.sheet < this.model.sheets.length);
  }
}

const isBetter = (a: Found, b: Found): boolean =>
  a.strength !== b.strength ? a.strength > b.strength : RANK[a.kind] > RANK[b.kind];
