/** Passes values of other inputs as parameters to a picker's query. */
import { AppError } from '#server/base/app-error.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import { dateFormatOf } from '#shared/codecs/date-format.ts';
import { dateOfSerial } from '#shared/codecs/condition-sql.ts';
import {
  cleanValue,
  decodeInput,
  InputShapeError,
  isFileInput,
  isFixed,
  parseValue,
  valueShape,
  type FormCell,
} from '#shared/codecs/input-form.ts';
import { isParameterOf, type SqlParameter } from '#shared/codecs/query-text.ts';
import type { Input, InputInfo, RunInputValue } from '#shared/contract/parameters.ts';

/**
 * Returns whether a query may use the input's value: it must be a single cell with a value that a database understands.
 */
export function isParameterInput(info: Pick<InputInfo, 'RangeType' | 'CellUsages'>): boolean {
  return valueShape(info) === 'cell' && !isFileInput(info) && info.CellUsages[0] !== 'Condition';
}

/**
 * Returns a function that returns the value of each `@name`. It throws a ConnectionError if no input has the name, and
 * an AppError if a value does not fit its input.
 */
export function createParameters(
  inputs: readonly Input[],
  sent: readonly RunInputValue[],
): (parameter: string) => SqlParameter {
  return (parameter) => {
    const input = inputs.find(({ Name, Info }) => isParameterOf(parameter, Name) && isParameterInput(Info));
    if (!input) throw new ConnectionError('invalid', `There is no input for @${parameter} of the query`);
    return sqlParameter(valueOf(input, sent), input.Info);
  };
}

function valueOf(input: Input, sent: readonly RunInputValue[]): FormCell {
  const { Info, PresetValue, PresetValueError } = input;
  try {
    if (PresetValue !== null) return PresetValueError === null ? (parseValue(Info, PresetValue) as FormCell) : null;
    const entries = isFixed(input) ? [] : sent.filter((value) => value.ActivityParameterId === input.Id);
    const form = decodeInput(input, entries);
    // If the workbook's own value applies, its saved value is used.
    if (form.useDefault || isFixed(input)) {
      return Info.DefaultValue === null ? null : (parseValue(Info, Info.DefaultValue) as FormCell);
    }
    return cleanValue(Info, form.value) as FormCell;
  } catch (error) {
    if (!(error instanceof InputShapeError)) throw error;
    throw new AppError('inputsInvalid', 400, error.message, { modelState: { [input.Name]: [error.message] } });
  }
}

function sqlParameter(
  value: FormCell,
  { CellUsages: [usage], Formats: [format], ExactNumbers }: InputInfo,
): SqlParameter {
  if (value === null || value === '') return null;
  if (usage === 'Date' && dateFormatOf(format ?? 'General').kind === 'duration') return Number(value);
  if (usage === 'Date') return typeof value === 'number' ? dateOfSerial(value) : null;
  if (usage === 'Number') return typeof value === 'number' || ExactNumbers ? value : null;
  return value;
}
