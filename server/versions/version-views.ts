/** Converts the inputs and outputs of a version to the shapes of the contract. */
import type { Input, Output } from '#shared/contract/parameters.ts';
import { presetIssue } from './preset-values.ts';
import type { ActivityVersion } from './version-catalog.ts';

/** @param hasAccess decides by the definition's HasAccessRight. @param presets by input id. */
export function inputsOf(
  version: ActivityVersion,
  hasAccess: (right: string) => boolean,
  presets: ReadonlyMap<number, string> = new Map(),
): Input[] {
  return version.inputs.map((input) => {
    const { Id, Name, Description, Info, HasAccessRight } = input;
    const PresetValue = presets.get(Id) ?? null;
    return {
      Id,
      ActivityId: version.ActivityId,
      Name,
      Description,
      HasAccess: hasAccess(HasAccessRight),
      PresetValue,
      PresetValueError: PresetValue === null ? null : presetError(input, PresetValue),
      Info,
    };
  });
}

/** A preset applies to all later versions of an activity. If it no longer fits one, the message says so. */
function presetError(input: ActivityVersion['inputs'][number], preset: string): string | null {
  const issue = presetIssue(input, preset);
  return issue === null ? null : `The preset value does not fit this version: ${issue}`;
}

/** @param valueOf returns the value by output id. */
export function outputsOf(version: ActivityVersion, valueOf: (id: number) => string | null = () => null): Output[] {
  return version.outputs.map(({ Id, Name, Description, Info }) => ({
    Id,
    ActivityId: version.ActivityId,
    Name,
    Description,
    Info,
    Value: valueOf(Id),
  }));
}
