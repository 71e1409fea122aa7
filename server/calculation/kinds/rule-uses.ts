/**
 * Determines how data validations use the cells named in their formulas: limits of numbers are numbers, limits of dates
 * are dates.
 */
import type { FormulaGroup } from '../graph/formula-groups.ts';
import { parsePlaced } from '../graph/placed-formulas.ts';
import type { Scope } from '../graph/scope.ts';
import type { DataValidation, WorkbookModel } from '../reader/workbook-model.ts';
import { cellUses } from './cell-uses.ts';
import type { CellUse } from './cell-uses.ts';
import type { ResultTypes } from './result-types.ts';
import type { ValueKind } from './value-kind.ts';
import { Strength } from './wanted.ts';

/** `group` contains the cells to which a validation applies. */
export interface RuleUse {
  group: FormulaGroup;
  use: CellUse;
}

const BOUNDS: Record<DataValidation['type'], ValueKind | null> = {
  whole: 'Number',
  decimal: 'Number',
  textLength: 'Number',
  date: 'Date',
  time: 'Date',
  // The items of a list can be of any type, and so can a value passed on by a custom formula.
  list: null,
  custom: null,
  none: null,
};

/** Maximum number of validations examined in a workbook. */
const MAX_RULES = 5000;

/** Returns the uses by data validations. They are weaker than uses by cell formulas, which affect results. */
export function ruleUses(model: WorkbookModel, scope: Scope, resultTypes: ResultTypes): RuleUse[] {
  const found: RuleUse[] = [];
  let count = 0;
  for (const [sheet, { validations }] of model.sheets.entries()) {
    for (const validation of validations) {
      if (++count > MAX_RULES) return found;
      for (const text of [validation.formula1, validation.formula2]) {
        for (const use of usesOf(validation, text, sheet, scope, resultTypes)) {
          for (const block of validation.blocks) found.push({ group: groupOf(sheet, block), use });
        }
      }
    }
  }
  return found.filter(({ use }) => use.read.sheet < model.sheets.length);
}

function usesOf(
  { type, blocks }: DataValidation,
  text: string,
  sheet: number,
  scope: Scope,
  resultTypes: ResultTypes,
): CellUse[] {
  if (text === '' || type === 'none' || type === 'list') return [];
  const base = { row: Math.min(...blocks.map(({ top }) => top)), col: Math.min(...blocks.map(({ left }) => left)) };
  const tree = parsePlaced({ text, sheet, base }, scope);
  if (!tree) return [];
  return cellUses(tree, sheet, scope, resultTypes).flatMap(({ read, kind, strength }) => {
    const used = kind === 'result' ? BOUNDS[type] : kind;
    return used === null ? [] : [{ read, kind: used, strength: Math.min(strength, Strength.weak), by: 'validation' }];
  });
}

const groupOf = (sheet: number, block: DataValidation['blocks'][number]): FormulaGroup => ({
  sheet,
  record: { sheet, kind: 'cells', tree: null, isParenthesised: false },
  spill: null,
  ...block,
});
