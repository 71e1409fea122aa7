/** Checks the values of inputs against the rules of data validations, with all inputs filled in. */
import type { PlacedFormula, PlacedResult } from '#server/calculation/placed-formula.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { ActivityDefinition, InputDefinition, RuleFormulas } from '#server/executors/activity-definition.ts';
import type { BrokenRule, InputRules } from '#server/executors/executor.ts';
import { isClosedCell, isFileInput, ruleIndex } from '#shared/codecs/input-form.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { from1904, to1904 } from '#shared/codecs/date-systems.ts';
import { parseNumber } from '#shared/codecs/number-text.ts';
import type { ValueRule } from '#shared/contract/parameters.ts';
import { columnTitle } from '#shared/rules/input-rules.ts';
import { holdsDefault } from '#shared/rules/untouched-default.ts';
import { allowedText, breaksBounds, inDigits, ruleAt, ruleMessage } from '#shared/rules/value-rules.ts';
import { valueGrid } from '../anchors.ts';
import { makeOnce } from '../make-once.ts';
import type { Calculation } from './calculation.ts';
import { formValue, isBlankCell } from './input-cells.ts';

/** Maximum number of issues per input, counted separately for Stop and for the others. */
const MAX_ISSUES = 100;

export type Evaluate = (formula: PlacedFormula, at: CellPosition) => PlacedResult;

export interface RuledValues {
  definition: ActivityDefinition;
  /** The rows of inputs that were supplied with a value, by name, in the layout of the sheet. */
  suppliedRows: ReadonlyMap<string, FormCell[][]>;
  /** True to check only rules that depend on cells or formulas, because the others were already checked. */
  onlyCalculated: boolean;
  evaluate: Evaluate;
}

/** Returns the results of the rules per input, without inputs that have no rules. */
export function checkValueRules(calculation: Calculation, values: RuledValues): InputRules[] {
  return values.definition.inputs.flatMap((input) => {
    const { Rules = [] } = input.Info;
    const count = Rules.some(({ Calculated }) => Calculated || !values.onlyCalculated);
    return count && !isFileInput(input.Info) ? [inputRules(calculation, values, input)] : [];
  });
}

function inputRules(calculation: Calculation, values: RuledValues, input: InputDefinition): InputRules {
  const { Info, Name } = input;
  const rows = values.suppliedRows.get(Name) ?? [];
  const decide = deciderOf(calculation, values.evaluate, input);
  const issues: BrokenRule[] = [];
  const counts = { stop: 0, other: 0 };
  const isUntouched = makeOnce(() => holdsDefault(Info, formValue(Info, rows)));
  const isSideways = Info.RangeType === 'SingleRowOfSimilarValues';
  for (const [y, cells] of rows.entries()) {
    for (const [x, cell] of cells.entries()) {
      const [row, col] = isSideways ? [x, y] : [y, x];
      const rule = ruleAt(Info, row, col);
      if (!rule || (values.onlyCalculated && !rule.Calculated)) continue;
      const kind = rule.Alert === 'Stop' ? 'stop' : 'other';
      if (counts[kind] >= MAX_ISSUES || isClosedCell(Info, row, col)) continue;
      if (isBlankCell(cell, Info.CellUsages[ruleIndex(Info, row, col)] ?? 'Text') && typeof cell !== 'boolean')
        continue;
      const message = decide(rule, cell, { row, col, y, x });
      // A rule that depends on cells or formulas is checked even for an unchanged default, because other values may
      // have changed what it depends on.
      if (message === null || (!rule.Calculated && isUntouched())) continue;
      counts[kind] += 1;
      issues.push({ row, col, Alert: rule.Alert, Title: rule.Title, Message: message });
    }
  }
  return { Name, allowed: allowedIn(calculation, values.evaluate, input), issues };
}

interface RuledCell {
  row: number;
  col: number;
  /** Position in the sheet, relative to the first cell of the input. */
  y: number;
  x: number;
}

/** Returns the message about a value; null if its rule allows it. */
type Decide = (rule: ValueRule, cell: FormCell, at: RuledCell) => string | null;

function deciderOf(calculation: Calculation, evaluate: Evaluate, input: InputDefinition): Decide {
  const { Info, location } = input;
  const { rowAt, colAt } = valueGrid(calculation.now(location.sheet, location.block), location.anchors);
  const isSingle = Info.RangeType === 'SingleCell';
  const lists = new Map<string, ListTest>();
  return (rule, cell, { row, col, y, x }) => {
    const index = ruleIndex(Info, row, col);
    const column = isSingle ? null : columnTitle(Info, row, col);
    const context = { format: Info.Formats[index] ?? 'General', column, region: Info.Region };
    const own = formulasOf(input, rule);
    if (!own) return breaksBounds(rule, cell, rule.Bounds) ? ruleMessage(rule, cell, rule.Bounds, context) : null;
    const at = { row: rowAt(y), col: colAt(x) };
    const results = own.formulas.map((formula) => evaluate(formula, at));
    if (own.ignoresBlank && results.some(({ namesBlankCell }) => namesBlankCell)) return null;
    if (rule.Type === 'custom') return isTrue(results[0]!) ? null : ruleMessage(rule, cell, [], context);
    const isDate = Info.CellUsages[index] === 'Date';
    const value =
      isDate && calculation.model.date1904 && typeof cell === 'number' ? to1904(cell, context.format) : cell;
    if (rule.Type === 'list')
      return isListed(lists, own.formulas[0]!, results[0]!, value) ? null : ruleMessage(rule, cell, [], context);
    const bounds = boundsOf(results);
    if (bounds !== null && !breaksBounds(rule, value, bounds)) return null;
    const shownIn = isDate ? context.format : null;
    return ruleMessage(rule, cell, bounds === null ? [] : shownBounds(calculation, bounds, shownIn), context);
  };
}

function formulasOf({ Info, ruleFormulas }: InputDefinition, rule: ValueRule): RuleFormulas | null {
  return rule.Calculated ? (ruleFormulas?.[Info.Rules!.indexOf(rule)] ?? null) : null;
}

/** As Excel evaluates a custom formula: TRUE, or any number except 0. */
function isTrue({ values: [value] }: PlacedResult): boolean {
  return value === true || (typeof value === 'number' && value !== 0);
}

/** Returns null if one of them is not a number. */
function boundsOf(results: readonly PlacedResult[]): number[] | null {
  const bounds = results.map(({ values: [value = null] }) => numberOf(value));
  return bounds.every((bound) => bound !== null) ? bounds : null;
}

function numberOf(value: CellValue): number | null {
  if (value === null) return 0;
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseNumber(value) : null;
}

/** Converts bounds to the portal's date system. `format` is that of the cell, null if it does not hold a date. */
function shownBounds({ model }: Calculation, bounds: number[], format: string | null): number[] {
  return format !== null && model.date1904 ? bounds.map((bound) => from1904(bound, format)) : bounds;
}

interface ListTest {
  texts: ReadonlySet<string>;
  numbers: ReadonlySet<number>;
}

function isListed(
  lists: Map<string, ListTest>,
  { text }: PlacedFormula,
  { range, values }: PlacedResult,
  value: CellValue,
): boolean {
  // Equal ranges share one list, however many rows refer to them.
  const key = range ? [range.sheet, range.top, range.left, range.bottom, range.right].join() : null;
  let list = key === null ? undefined : lists.get(key);
  if (!list) {
    list = listOf(text, values);
    if (key !== null) lists.set(key, list);
  }
  if (typeof value === 'number') return list.numbers.has(inDigits(value));
  if (value === null || value instanceof CellError) return false;
  return list.texts.has(String(value).toLowerCase());
}

function listOf(text: string, values: readonly CellValue[]): ListTest {
  // Only a literal "A,B,C" is a list; a formula that returns such a text is not.
  const isLiteral = text.trim().startsWith('"') && typeof values[0] === 'string';
  const items = isLiteral
    ? String(values[0])
        .split(',')
        .map((item) => item.trim())
    : values;
  const known = items.filter((item) => item !== null && item !== '' && !(item instanceof CellError));
  const numbers = known.map((item) => (typeof item === 'number' ? item : parseNumber(String(item))));
  return {
    texts: new Set(known.map((item) => String(item).toLowerCase())),
    numbers: new Set(numbers.filter((number) => number !== null).map(inDigits)),
  };
}

/**
 * Describes what the rule of a single cell currently allows, if formulas decide; '' if there is no such rule or it
 * cannot be described.
 */
function allowedIn(calculation: Calculation, evaluate: Evaluate, input: InputDefinition): string {
  if (input.Info.RangeType !== 'SingleCell') return '';
  const rule = ruleAt(input.Info, 0, 0);
  const own = rule && formulasOf(input, rule);
  if (!rule || !own || rule.Type === 'custom' || rule.Type === 'list') return '';
  const { sheet, block } = input.location;
  const { top, left } = calculation.now(sheet, block);
  const results = own.formulas.map((formula) => evaluate(formula, { row: top, col: left }));
  // A blank cell would count as 0 here, and "0 to 0" helps nobody.
  if (results.some(({ namesBlankCell }) => namesBlankCell)) return '';
  const bounds = boundsOf(results);
  if (!bounds) return '';
  const format = input.Info.Formats[0] ?? 'General';
  const shownIn = input.Info.CellUsages[0] === 'Date' ? format : null;
  return allowedText(rule, shownBounds(calculation, bounds, shownIn), format, input.Info.Region);
}
