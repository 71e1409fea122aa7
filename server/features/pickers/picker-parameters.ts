/** Values of other inputs as parameters of a picker's query. */
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

/** Inputs whose value a query may ask for: one cell with a value that a database knows. */
export function isParameterInput(info: Pick<InputInfo, 'RangeType' | 'CellUsages'>): boolean {
  return valueShape(info) === 'cell' && !isFileInput(info) && info.CellUsages[0] !== 'Condition';
}

/** The value for each `@name`. Throws ConnectionError for a name that no input has, AppError for a value that is none of its input. */
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
    // Where the workbook's own value stands, it counts as it was saved.
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
