/** Values that an editor presets for single-cell inputs. Forms no longer ask for these inputs. */
import type { InputDefinition } from '#server/executors/activity-definition.ts';
import {
  InputShapeError,
  isFileInput,
  numberCell,
  parseValue,
  refuseRounded,
  valueShape,
  type FormCell,
} from '#shared/codecs/input-form.ts';
import { parseNumber } from '#shared/codecs/number-text.ts';
import type { InputInfo } from '#shared/contract/parameters.ts';
import { checkInput } from '#shared/rules/input-rules.ts';
import { openInput } from '#shared/rules/open-input.ts';

type Preset = { value: string | null } | { issue: string };

/**
 * Converts a preset to its stored form: numbers and dates are parsed from text, booleans from 'true' and 'false'; an
 * empty value becomes null. Source: specification of activities, section 5.
 */
export function readPreset(input: Pick<InputDefinition, 'Info' | 'pickerItems'>, sent: string | null): Preset {
  return answering(() => {
    refuseRounded(input.Info, sent);
    return presetOf(input, sent);
  });
}

/** Returns why a stored preset cannot be used in a version; null if it can. */
export function presetIssue(input: Pick<InputDefinition, 'Info' | 'pickerItems'>, stored: string): string | null {
  const preset = answering(() => presetOf(input, stored));
  return 'issue' in preset ? preset.issue : null;
}

function answering(read: () => Preset): Preset {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputShapeError) return { issue: error.message };
    throw error;
  }
}

function presetOf(input: Pick<InputDefinition, 'Info' | 'pickerItems'>, sent: string | null): Preset {
  const { Info } = input;
  if (valueShape(Info) !== 'cell' || isFileInput(Info)) return { issue: 'Only single values can be preset' };
  const cell = sent === null ? null : presetCell(Info, parseValue(Info, sent) as FormCell);
  if (cell === null || cell === '') return { value: null };
  const issue = cellIssue(input, cell);
  if (issue !== null) return { issue };
  return { value: JSON.stringify(Info.CellUsages[0] === 'StaticFolder' ? { FolderKey: cell } : cell) };
}

function presetCell(info: InputInfo, cell: FormCell): FormCell {
  const usage = info.CellUsages[0];
  if (usage === 'Boolean') return cell === '' ? false : asBoolean(cell);
  if (typeof cell === 'string' && usage === 'Number') return numberCell(info, cell) ?? cell;
  if (typeof cell === 'string' && usage === 'Date') return parseNumber(cell) ?? cell;
  return usage === 'Number' || usage === 'Date' || cell === null ? cell : String(cell);
}

const asBoolean = (cell: FormCell): FormCell =>
  typeof cell === 'string' && /^(?:true|false)$/i.test(cell) ? cell.toLowerCase() === 'true' : cell;

/** Applies the rules of the form, even to an input that the form would only display. */
function cellIssue(
  { Info, pickerItems }: Pick<InputDefinition, 'Info' | 'pickerItems'>,
  value: FormCell,
): string | null {
  const open = openInput({ Name: '', Info: { ...Info, Specifications: ['Required'] } });
  // A calculated list depends on the other values of a form. Such a preset is checked later, together with them.
  const items = Info.Pickers[0]?.Calculated ? null : (pickerItems[0] ?? null);
  const [issue] = checkInput(open, { value, files: [], useDefault: false }, () => items);
  return issue?.message ?? null;
}
