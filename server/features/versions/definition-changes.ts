/** Compares the definitions of two versions. */
import { compareNamed, type Described } from '#server/base/compare-named.ts';
import type { ActivityDefinition, InputDefinition, OutputDefinition } from '#server/executors/activity-definition.ts';
import type { ProcedureDefinition } from '#server/executors/procedure-definition.ts';
import { formatBlock } from '#shared/codecs/cell-address.ts';
import type { NamedChange } from '#shared/contract/version-changes.ts';

export interface DefinitionChanges {
  Inputs: NamedChange[];
  Outputs: NamedChange[];
  Steps: NamedChange[];
  Procedure?: NamedChange[];
}

/** Inputs, outputs and steps are matched by name, ignoring case. */
export function compareDefinitions(before: ActivityDefinition, after: ActivityDefinition): DefinitionChanges {
  return {
    Inputs: compareNamed(before.inputs.map(inputFields), after.inputs.map(inputFields)),
    Outputs: compareNamed(before.outputs.map(outputFields), after.outputs.map(outputFields)),
    Steps: compareNamed(stepFields(before), stepFields(after)),
    ...(before.procedure && after.procedure
      ? { Procedure: compareNamed(procedureFields(before.procedure), procedureFields(after.procedure)) }
      : {}),
  };
}

function inputFields({ Name, Description, Info, HasAccessRight, location, pickerItems }: InputDefinition): Described {
  return {
    Name,
    fields: {
      Description,
      Range: rangeOf(location),
      ...texts(Info),
      HasAccess: HasAccessRight,
      ...(pickerItems.some((items) => items !== null) ? { 'Picker items': JSON.stringify(pickerItems) } : {}),
    },
  };
}

function outputFields({ Name, Description, Info, location }: OutputDefinition): Described {
  return { Name, fields: { Description, Range: rangeOf(location), ...texts(Info) } };
}

/** Includes the position of each step, because a step may read what an earlier one has written. */
function stepFields({ steps }: ActivityDefinition): Described[] {
  return steps.map(({ Step, Action, options }, index) => ({
    Name: Step,
    fields: { Place: String(index + 1), Action, ...options },
  }));
}

/** Describes the procedure itself, followed by its parameters. */
function procedureFields({ pinned, settings }: ProcedureDefinition): Described[] {
  const { ReturnCodeFails, CommitsByItself, LargeResultFormat } = settings;
  const { name, signature, definitionHash, parameters } = pinned;
  const itself = {
    Signature: signature,
    Text: definitionHash?.slice(0, 12) ?? '',
    ...texts({ ReturnCodeFails, CommitsByItself, LargeResultFormat }),
  };
  return [
    { Name: name, fields: itself },
    ...parameters.map(({ name: Name, type, direction, defaultText, ordinal }) => ({
      Name,
      fields: { Place: String(ordinal), Type: type.declared, Direction: direction, Default: defaultText ?? '' },
    })),
  ];
}

function rangeOf({ sheet, block, table }: InputDefinition['location']): string {
  return `${table ? `${table}, ` : ''}sheet ${sheet + 1}, ${formatBlock(block)}`;
}

/** Returns the properties as texts. A list with a single value is shown as that value. */
function texts(info: object): Record<string, string> {
  const shown = (value: unknown): string => {
    if (value === null || value === undefined) return '';
    if (Array.isArray(value) && value.length === 1) return shown(value[0]);
    return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  };
  return Object.fromEntries(Object.entries(info).map(([field, value]) => [field, shown(value)]));
}
