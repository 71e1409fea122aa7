/** What may be linked to what, and when a linked run needs nothing from a person. Source: specification of activities, sections 4 and 5. */
import { isFixed, isFolderUsage } from '../codecs/input-form.ts';
import { isLocked } from '../codecs/linked-values.ts';
import type { Input, InputInfo, OutputInfo } from '../contract/parameters.ts';

export const LINK_NAME_MAX = 60;

/** What is wrong with the name of a link; null where nothing is. */
export function linkNameIssue(name: string): string | null {
  if (name.trim() === '') return 'Linkage name must be provided.';
  return name.trim().length > LINK_NAME_MAX ? `Linkage name must not exceed ${LINK_NAME_MAX} characters.` : null;
}

/** Whether a link may fill the input: a preset stands whatever is sent, and what is shown only takes nothing. */
export function isLinkable({ Info, PresetValue }: Pick<Input, 'Info' | 'PresetValue'>): boolean {
  const [usage] = Info.CellUsages;
  if (usage === 'ActivityRunId' || isFolderUsage(usage)) return false;
  return !isFixed({ Info, PresetValue, HasAccess: true });
}

/** Whether values of the output can become values of the input. */
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

/** Whether the linked activity can be started without its form: the run gives all that a person could. */
export const startsDirectly = (inputs: readonly Input[]): boolean =>
  inputs.every((input) => (input.ReadOnly === undefined ? isFixed(input) : isLocked(input)));
