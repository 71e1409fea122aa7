/** The fields of a test case's form. */
import { isFileInput, isFixed } from '#shared/codecs/input-form.ts';
import { parseNumber } from '#shared/codecs/number-text.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { TestCaseContent } from '#shared/contract/test-beds.ts';
import { t } from '#renderer/language/translate.ts';
import { editedNumber, neutralNumber } from '#renderer/language/typed-numbers.ts';
import { isTable, shapeOfOutput, textOfValue, valueOfText } from './case-values.ts';

export interface CaseField {
  Name: string;
  Description: string;
  /** Whether the case says something of it. */
  isGiven: boolean;
  text: string;
  isTable: boolean;
}

export interface ExpectedField extends CaseField {
  tolerance: string;
  /** In percent. */
  relative: string;
}

export interface CaseFields {
  Name: string;
  Status: TestCaseContent['Status'];
  inputs: CaseField[];
  outputs: ExpectedField[];
}

/** Names of inputs and outputs are the same when they differ by case alone. */
const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const openInputs = ({ Inputs }: Activity) =>
  Inputs.filter(
    (input) =>
      !isFileInput(input.Info) &&
      !isFixed({ ...input, HasAccess: true }) &&
      input.Info.CellUsages[0] !== 'ActivityRunId',
  );

const valuedOutputs = ({ Outputs }: Activity) =>
  Outputs.filter(({ Info }) => !['FilePath', 'FileId'].includes(Info.CellUsages[0] ?? ''));

export function fieldsOf(activity: Activity, stored: TestCaseContent | null): CaseFields {
  return {
    Name: stored?.Name ?? '',
    Status: stored?.Status ?? 'Succeeded',
    inputs: openInputs(activity).map(({ Name, Description, Info }) => {
      const given = stored?.Inputs.find((one) => sameName(one.Name, Name));
      const isGiven = stored === null || (given !== undefined && !given.UseDefault && given.Value !== null);
      const json = given?.Value ?? Info.DefaultValue;
      return { Name, Description, isGiven, text: textOfValue(Info, json), isTable: isTable(Info) };
    }),
    outputs: valuedOutputs(activity).map(({ Name, Description, Info }) => {
      const expected = stored?.Expected.find((one) => sameName(one.Name, Name));
      const shape = shapeOfOutput(Info);
      return {
        Name,
        Description,
        isGiven: expected !== undefined,
        text: textOfValue(shape, expected?.Value ?? null),
        isTable: isTable(shape),
        tolerance: editedNumber(expected?.Tolerance ?? 0),
        relative: editedNumber(Number(((expected?.RelativeTolerance ?? 0) * 100).toPrecision(12))),
      };
    }),
  };
}

/** What is saved; an issue where a field cannot be read. */
export function contentOf(
  activity: Activity,
  { Name, Status, inputs, outputs }: CaseFields,
): TestCaseContent | { issue: string } {
  if (Name.trim() === '') return { issue: t('Name must be provided') };
  const Inputs = openInputs(activity).flatMap((input) => {
    const field = inputs.find((one) => one.Name === input.Name);
    if (!field?.isGiven) return [];
    return [{ Name: input.Name, Value: valueOfText(input.Info, field.text), UseDefault: false }];
  });
  const Expected: TestCaseContent['Expected'] = [];
  for (const output of valuedOutputs(activity)) {
    const field = outputs.find((one) => one.Name === output.Name);
    if (!field?.isGiven) continue;
    const [Tolerance, percent] = [field.tolerance, field.relative].map((text) =>
      text.trim() === '' ? 0 : parseNumber(neutralNumber(text.replace('%', ''))),
    ) as [number | null, number | null];
    if (Tolerance === null || percent === null || Tolerance < 0 || percent < 0)
      return { issue: t('The tolerances of {name} must be numbers of 0 or more', { name: output.Name }) };
    const Value = valueOfText(shapeOfOutput(output.Info), field.text);
    Expected.push({ Name: output.Name, Value, Tolerance, RelativeTolerance: percent / 100 });
  }
  return { Name: Name.trim(), Status, Inputs, Expected };
}
