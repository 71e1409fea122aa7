/**
 * Checks of checklists, applied in the form and on the server. Source: specification of activities, sections 5 and 9.
 */
import type { Input, InputInfo } from '../contract/parameters.ts';
import { isFixed, isFolderUsage } from '../codecs/input-form.ts';

export const CHECKLIST_NAME_MAX = 100;
export const CHECKLIST_DESCRIPTION_MAX = 250;
export const CHECKLIST_GROUP_MAX = 30;
export const CHECKLIST_INPUT_NAME_MAX = 30;

export const DIFFERENT_TYPES = 'Inputs of different types cannot be mapped to the same name';
export const NAME_OF_ANOTHER_TYPE = 'This name has already been mapped to inputs of another type';
export const NOT_MAPPED = 'The checklist cannot be run because some inputs have not been mapped';
export const EDITED_AS_WORKFLOW = 'The checklist cannot be run because it has been edited as a workflow';

/** Returns whether a checklist asks for the input: not if it is preset, a folder of the server, or read-only. */
export const isMappable = ({ Info, PresetValue }: Pick<Input, 'Info' | 'PresetValue'>): boolean =>
  !isFolderUsage(Info.CellUsages[0]) && !isFixed({ Info, PresetValue, HasAccess: true });

/** Returns whether one value fits both inputs. */
export const isSameType = (
  a: Pick<InputInfo, 'RangeType' | 'CellUsages'>,
  b: Pick<InputInfo, 'RangeType' | 'CellUsages'>,
): boolean => a.RangeType === b.RangeType && a.CellUsages.join() === b.CellUsages.join();

/** Compares input names, ignoring case and surrounding blanks. */
export const isSameInputName = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** An input of an activity, and the name under which the checklist asks for it; '' if it is not mapped. */
export interface InputMapping {
  InputName: string;
  Info: Pick<InputInfo, 'RangeType' | 'CellUsages'>;
}

/**
 * Returns why the chosen inputs cannot be mapped to a name together with the inputs already mapped to it; null if they
 * can.
 */
export function mappingIssue(
  name: string,
  chosen: readonly InputMapping[],
  others: readonly InputMapping[],
): string | null {
  const long = longNamesIssue([name]);
  if (long !== null) return long;
  const [first] = chosen;
  if (!first) return null;
  if (chosen.some(({ Info }) => !isSameType(Info, first.Info))) return DIFFERENT_TYPES;
  const isTaken = others.some(
    ({ InputName, Info }) => isSameInputName(InputName, name) && !isSameType(Info, first.Info),
  );
  return isTaken ? NAME_OF_ANOTHER_TYPE : null;
}

export interface ChecklistIssue {
  field: 'Name' | 'Order' | 'Activities' | 'Inputs';
  message: string;
}

/**
 * Returns all problems that prevent saving a checklist, the first problem first.
 * @param inputs all inputs of its activities for which isMappable is true. A checklist without any mapping can be saved
 * but not run
 */
export function checklistIssues(checklist: {
  Name: string;
  /** As returned by parseOrder. */
  Order: number | null | undefined;
  activityCount: number;
  inputs: readonly InputMapping[];
}): ChecklistIssue[] {
  const issues: ChecklistIssue[] = [];
  if (checklist.Name.trim() === '') issues.push({ field: 'Name', message: 'Checklist name must be provided.' });
  if (checklist.Order === undefined) issues.push({ field: 'Order', message: 'Order must be a number' });
  if (checklist.activityCount === 0)
    issues.push({ field: 'Activities', message: 'Checklist must contain at least one activity.' });
  const message = inputsIssue(checklist.inputs);
  if (message !== null) issues.push({ field: 'Inputs', message });
  return issues;
}

function inputsIssue(inputs: readonly InputMapping[]): string | null {
  const mapped = inputs.filter(({ InputName }) => InputName.trim() !== '');
  if (mapped.length > 0 && mapped.length < inputs.length) return 'All inputs must be mapped.';
  const long = longNamesIssue(mapped.map(({ InputName }) => InputName));
  if (long !== null) return long;
  const isMixed = mapped.some((one) => mappingIssue(one.InputName, [one], mapped) !== null);
  return isMixed ? DIFFERENT_TYPES : null;
}

function longNamesIssue(names: readonly string[]): string | null {
  const long = [...new Set(names.map((name) => name.trim()))].filter(({ length }) => length > CHECKLIST_INPUT_NAME_MAX);
  if (long.length === 0) return null;
  return `Checklist Input names ${long.join(', ')} exceed the character length limit of ${CHECKLIST_INPUT_NAME_MAX}`;
}
