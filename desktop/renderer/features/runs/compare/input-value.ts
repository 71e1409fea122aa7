/**
 * The value that a run used for an input, regardless of its source. A typed value equals an identical value that was
 * already in the workbook.
 */
import { blankValue, cleanValue, isFileInput, mayUseDefault, parseValue } from '#shared/codecs/input-form.ts';
import type { InputInfo, RunInput } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';

type StoredInput = Pick<RunInput, 'Value' | 'UseDefault' | 'FileName' | 'ParameterInfo'>;

/**
 * Returns the value as JSON, in the form that forms send. Null if the value is unknown, as for files and formula
 * results.
 */
export function takenValue(stored: StoredInput, type: ActivityRun['Type']): string | null {
  const { Value, UseDefault, FileName, ParameterInfo: Info } = stored;
  if (FileName !== null || isFileInput(Info)) return Value;
  if (Value !== null) return asSent(Info, Value);
  if (!UseDefault || Info.Calculated?.includes(true)) return null;
  // The server sends null for an error in the cell and for values of another kind.
  if (Info.DefaultValue !== null) return Info.DefaultValue === 'null' ? null : asSent(Info, Info.DefaultValue);
  // The cell is blank. Tables without a default may be large, and procedures do not reveal their defaults.
  const isBlank = type === 'Workbook' && Info.RangeType === 'SingleCell' && mayUseDefault(Info);
  return isBlank ? JSON.stringify(cleanValue(Info, blankValue(Info))) : null;
}

function asSent(info: InputInfo, json: string): string {
  try {
    return JSON.stringify(cleanValue(info, parseValue(info, json)));
  } catch {
    // The input cannot have this shape, so compare the value unchanged.
    return json;
  }
}
