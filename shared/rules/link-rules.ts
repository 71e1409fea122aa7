/**
 * Which outputs can be linked to which inputs, and when a linked run needs no input from a user. Source: specification
 * of activities, sections 4 and 5.
 */
import { isFixed, isFolderUsage } from '../codecs/input-form.ts';
import { isLocked } from '../codecs/linked-values.ts';
import type { Input, InputInfo, OutputInfo } from '../contract/parameters.ts';

export const LINK_NAME_MAX = 60;

/** Returns the problem with the name of a link; null if there is none. */
export function linkNameIssue(name: string): string | null {
  if (name.trim() === '') return 'Linkage name must be provided.';
  return name.trim().length > LINK_NAME_MAX ? `Linkage name must not exceed ${LINK_NAME_MAX} characters.` : null;
}

/**
 * Returns whether a link may fill the input. Preset values cannot be overridden, and read-only inputs accept no value.
 */
export function isLinkable({ Info, PresetValue }: Pick<Input, 'Info' | 'PresetValue'>): boolean {
  const [usage] = Info.CellUsages;
  if (usage === 'ActivityRunId' || isFolderUsage(usage)) return false;
  return !isFixed({ Info, PresetValue, HasAccess: true });
}

/** Returns whether values of the output can be used for the input. */
export function fitsOutput(
  input: Pick<InputInfo, 'RangeType' | 'CellUsages'>,
  output: Pick<OutputInfo, 'RangeType' | 'CellUsages'>,
): boolean {
  const { CellUsages } = input;
  const isSame = CellUsages.length === output.CellUsages.length;
  return (
    input.RangeType === output.RangeType && isSame && CellUsages.every((usage, at) => usage === output.CellUsages[at])
  );
}

/**
 * Returns whether the linked activity can be started without a form, because the run supplies every value that a user
 * could enter.
 */
export const startsDirectly = (inputs: readonly Input[]): boolean =>
  inputs.every((input) => (input.ReadOnly === undefined ? isFixed(input) : isLocked(input)));
