/** The fields of the form of a test case. */
import { isFileInput, isFixed } from '#shared/codecs/input-form.ts';
import { parseNumber } from '#shared/codecs/number-text.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { TestCaseContent } from '#shared/contract/test-beds.ts';
import { t } from '#renderer/language/translate.ts';
import { editedNumber, neutralNumber } from '#renderer/language/typed-numbers.ts';
import { isTable, shapeOfOutput, textOfValue, valueOfText, type Shape } from './case-values.ts';

export interface CaseField {
  Name: string;
  Description: string;
  /** True if the case specifies this value. */
  isSpecified: boolean;
  text: string;
  isTable: boolean;
  shape: Shape;
  /** JSON of the field's initial value; null if it was empty. */
  stored: string | null;
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

/** True if the names are equal, ignoring case: inputs and outputs whose names differ only by case are the same. */
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
      const storedInput = stored?.Inputs.find((one) => sameName(one.Name, Name));
      const isSpecified =
        stored === null || (storedInput !== undefined && !storedInput.UseDefault && storedInput.Value !== null);
      const json = storedInput?.Value ?? Info.DefaultValue;
      return {
        Name,
        Description,
        isSpecified,
        text: textOfValue(Info, json),
        isTable: isTable(Info),
        shape: Info,
        stored: json,
      };
    }),
    outputs: valuedOutputs(activity).map(({ Name, Description, Info }) => {
      const expected = stored?.Expected.find((one) => sameName(one.Name, Name));
      const shape = shapeOfOutput(Info);
      return {
        Name,
        Description,
        isSpecified: expected !== undefined,
        text: textOfValue(shape, expected?.Value ?? null),
        isTable: isTable(shape),
        shape,
        stored: expected?.Value ?? null,
        tolerance: editedNumber(expected?.Tolerance ?? 0),
        relative: editedNumber(Number(((expected?.RelativeTolerance ?? 0) * 100).toPrecision(12))),
      };
    }),
  };
}

/**
 * Issues by field: 'Name', 'Inputs/Amount', 'Expected/Total', 'Expected/Total/Tolerance', and 'Expected' for all
 * outputs.
 */
export type CaseIssues = Readonly<Record<string, string>>;

/** Returns the content to save, or the issues of fields that cannot be read. */
export function contentOf({ Name, Status, inputs, outputs }: CaseFields): TestCaseContent | { issues: CaseIssues } {
  const issues: Record<string, string> = {};
  if (Name.trim() === '') issues['Name'] = t('Name must be provided');
  const valueOf = (field: string, { shape, text, stored }: CaseField): string => {
    const read = valueOfText(shape, text, stored);
    if ('value' in read) return read.value;
    issues[field] = read.issue;
    return 'null';
  };
  const toleranceOf = (field: string, text: string): number => {
    const tolerance = text.trim() === '' ? 0 : parseNumber(neutralNumber(text.replace('%', '')));
    if (tolerance !== null && tolerance >= 0) return tolerance;
    issues[field] = t('Enter a number of 0 or more');
    return 0;
  };
  const Inputs = inputs
    .filter(({ isSpecified }) => isSpecified)
    .map((input) => ({ Name: input.Name, Value: valueOf(`Inputs/${input.Name}`, input), UseDefault: false }));
  const Expected = outputs
    .filter(({ isSpecified }) => isSpecified)
    .map((output) => {
      const field = `Expected/${output.Name}`;
      return {
        Name: output.Name,
        Value: valueOf(field, output),
        Tolerance: toleranceOf(`${field}/Tolerance`, output.tolerance),
        RelativeTolerance: toleranceOf(`${field}/RelativeTolerance`, output.relative) / 100,
      };
    });
  return Object.keys(issues).length > 0 ? { issues } : { Name: Name.trim(), Status, Inputs, Expected };
}

/** Drops the issues of fields that have changed since. */
export function withoutChanged(issues: CaseIssues, before: CaseFields, after: CaseFields): CaseIssues {
  const isSame = (field: string): boolean => {
    if (field === 'Name') return before.Name === after.Name;
    if (field === 'Expected') return before.outputs === after.outputs;
    const list = field.startsWith('Inputs/') ? 'inputs' : 'outputs';
    const at = before[list].findIndex(({ Name }) => fieldsFor(list, Name).includes(field));
    return at < 0 || before[list][at] === after[list][at];
  };
  return Object.fromEntries(Object.entries(issues).filter(([field]) => isSame(field)));
}

const fieldsFor = (list: 'inputs' | 'outputs', name: string): string[] =>
  list === 'inputs'
    ? [`Inputs/${name}`]
    : [`Expected/${name}`, `Expected/${name}/Tolerance`, `Expected/${name}/RelativeTolerance`];

/** Returns the issues that belong to no field of the form. */
export function issuesElsewhere(issues: CaseIssues, { inputs, outputs }: CaseFields): string[] {
  const shown = new Set([
    'Name',
    'Expected',
    ...inputs.flatMap(({ Name }) => fieldsFor('inputs', Name)),
    ...outputs.flatMap(({ Name }) => fieldsFor('outputs', Name)),
  ]);
  return Object.entries(issues)
    .filter(([field]) => !shown.has(field))
    .map(([field, message]) => `${field.slice(field.indexOf('/') + 1)}: ${message}`);
}
