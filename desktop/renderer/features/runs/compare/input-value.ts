/** What a run took for an input, whoever gave it: a value that was typed is the same as one that stood there already. */
import { blankValue, cleanValue, isFileInput, mayUseDefault, parseValue } from '#shared/codecs/input-form.ts';
import type { InputInfo, RunInput } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';

type Kept = Pick<RunInput, 'Value' | 'UseDefault' | 'FileName' | 'ParameterInfo'>;

/** As JSON text in the spelling in which forms send it; null where it is not known, as of files and of what formulas calculated. */
export function takenValue(kept: Kept, type: ActivityRun['Type']): string | null {
  const { Value, UseDefault, FileName, ParameterInfo: Info } = kept;
  if (FileName !== null || isFileInput(Info)) return Value;
  if (Value !== null) return asSent(Info, Value);
  if (!UseDefault || Info.Calculated?.includes(true)) return null;
  // An error in the cell, or what is none of its kind, came as null.
  if (Info.DefaultValue !== null) return Info.DefaultValue === 'null' ? null : asSent(Info, Info.DefaultValue);
  // Nothing stands in the cell. Tables without a default may be large ones, and procedures keep theirs to themselves.
  const isBlank = type === 'Workbook' && Info.RangeType === 'SingleCell' && mayUseDefault(Info);
  return isBlank ? JSON.stringify(cleanValue(Info, blankValue(Info))) : null;
}

function asSent(info: InputInfo, json: string): string {
  try {
    return JSON.stringify(cleanValue(info, parseValue(info, json)));
  } catch {
    // Of a shape that the input cannot have: it is compared as it stands.
    return json;
  }
}
