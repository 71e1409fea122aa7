/** Checks the values of a run against the rules and lists of its workbook, once all inputs are written. */
import type { ActivityDefinition, InputDefinition } from '#server/executors/activity-definition.ts';
import type { InputValue } from '#server/executors/executor.ts';
import { isClosedCell, isFileInput, ruleIndex } from '#shared/codecs/input-form.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import type { ValueRule } from '#shared/contract/parameters.ts';
import { columnTitle } from '#shared/rules/input-rules.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { isCalculatedList, outsideList } from '#shared/rules/outside-list.ts';
import { listMessage } from '#shared/rules/value-rules.ts';
import type { CellView } from '../definitions/cell-view.ts';
import type { Calculation } from './calculation.ts';
import { itemsNow } from './form-values.ts';
import { isBlankCell, valueRows } from './input-cells.ts';
import { ruleEvaluation } from './rule-evaluation.ts';
import type { RunEnded } from './run-ended.ts';
import type { RunLog } from './run-log.ts';
import { checkValueRules } from './value-rules.ts';
import type { Evaluate } from './value-rules.ts';

export interface SuppliedValues {
  definition: ActivityDefinition;
  inputs: readonly Pick<InputValue, 'Name' | 'value'>[];
  /** Milliseconds per recalculation, and for all rules together. */
  timeLimit: number;
}

interface CheckContext {
  calculation: Calculation;
  view: CellView;
  log: RunLog;
}

/** Maximum number of reported issues per input, as for its rules. */
const MAX_ISSUES = 100;

/**
 * Checks again what the start has checked: presets, schedules, old runs and values that the form could not calculate
 * also come this way. Throws RunEnded if a rule or a list refuses a value, after logging each refusal. Throws
 * CalculationError if a list cannot be calculated.
 */
export function refuseValues(supplied: SuppliedValues, context: CheckContext): void {
  const { log } = context;
  const isSingle = (name: string): boolean =>
    supplied.definition.inputs.find(({ Name }) => Name === name)?.Info.RangeType === 'SingleCell';
  let refusal: RunEnded | null = null;
  for (const { Name, Alert, row, message } of checkSupplied(supplied, context)) {
    const text = `Input '${Name}'${isSingle(Name) ? '' : `, row ${row + 1}`}: ${message}`;
    if (Alert === 'Stop') refusal = log.refusal(text, LogCode.InputRefused);
    else if (Alert === 'Warning') log.warn(text, LogCode.AuthorsWarning);
    else log.info(text);
  }
  if (refusal) throw refusal;
}

/** What a rule or a list says about a value; `row` counts from 0. */
export interface ValueFinding {
  Name: string;
  Alert: ValueRule['Alert'];
  row: number;
  message: string;
}

/** Returns what rules and calculated lists say about the values. Throws CalculationError if a list cannot be calculated. */
export function checkSupplied(
  { definition, inputs, timeLimit }: SuppliedValues,
  { calculation, view }: Omit<CheckContext, 'log'>,
): ValueFinding[] {
  const ruled = definition.inputs.filter((input) => input.Info.Rules && !isFileInput(input.Info));
  const listed = definition.inputs.filter(isListed);
  const suppliedRows = readSuppliedRows([...ruled, ...listed], inputs);
  if (suppliedRows.size === 0) return [];
  const evaluate = ruleEvaluation(calculation, timeLimit);
  const rules = checkValueRules(calculation, { definition, suppliedRows, onlyCalculated: false, evaluate });
  return [
    ...rules.flatMap(({ Name, issues }) =>
      issues.map(({ Alert, row, Message }) => ({ Name, Alert, row, message: Message })),
    ),
    ...listed.flatMap((input) =>
      unlisted({ calculation, view, evaluate }, input, suppliedRows.get(input.Name) ?? []).map((one) => ({
        Name: input.Name,
        Alert: 'Stop' as const,
        ...one,
      })),
    ),
  ];
}

/** Returns whether only the calculated workbook can check values of the input. */
export const isCheckedByWorkbook = (input: InputDefinition): boolean =>
  isListed(input) || (input.Info.Rules ?? []).some(({ Calculated }) => Calculated);

/** Only calculated lists: the start has already checked fixed ones. */
const isListed = ({ Info, pickerAreas }: InputDefinition): boolean =>
  pickerAreas !== undefined && Info.Pickers.some(isCalculatedList);

/** Returns the rows of inputs that were supplied with a value, by name. */
function readSuppliedRows(
  wanted: readonly InputDefinition[],
  inputs: SuppliedValues['inputs'],
): Map<string, FormCell[][]> {
  const suppliedRows = new Map<string, FormCell[][]>();
  for (const input of wanted) {
    const value = inputs.find(({ Name }) => Name === input.Name)?.value ?? null;
    if (value !== null) suppliedRows.set(input.Name, valueRows(input, value));
  }
  return suppliedRows;
}

/** Returns the values of an input that its lists do not currently offer. */
function unlisted(
  { calculation, view, evaluate }: Omit<CheckContext, 'log'> & { evaluate: Evaluate },
  { Info, pickerAreas = [] }: InputDefinition,
  rows: readonly FormCell[][],
): { row: number; message: string }[] {
  const items = pickerAreas.map((area, index) =>
    area && isCalculatedList(Info.Pickers[index]) ? itemsNow(calculation, view, area, evaluate) : null,
  );
  const isSideways = Info.RangeType === 'SingleRowOfSimilarValues';
  const issues: { row: number; message: string }[] = [];
  for (const [y, cells] of rows.entries()) {
    for (const [x, cell] of cells.entries()) {
      const [row, col] = isSideways ? [x, y] : [y, x];
      const index = ruleIndex(Info, row, col);
      if (isClosedCell(Info, row, col) || isBlankCell(cell, Info.CellUsages[index] ?? 'Text')) continue;
      if (!outsideList(Info, index, cell, (column) => items[column] ?? null)) continue;
      if (issues.length === MAX_ISSUES) return issues;
      const column = Info.RangeType === 'SingleCell' ? null : columnTitle(Info, row, col);
      issues.push({ row, message: listMessage(column) });
    }
  }
  return issues;
}
