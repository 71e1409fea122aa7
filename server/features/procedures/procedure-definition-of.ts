/** Builds the definition of an activity from a database's description of a procedure and the editor's settings. */
import type { ActivityDefinition, InputDefinition, OutputDefinition } from '#server/executors/activity-definition.ts';
import { unfillableColumns } from '#server/connections/procedures/unfillable-columns.ts';
import type { ProcedureParameter } from '#server/base/procedure-types.ts';
import type { BoundParameter, PinnedProcedure } from '#server/executors/procedure-definition.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import { isParameterOf, parseQueryText } from '#shared/codecs/query-text.ts';
import type { ParameterSettings, ProcedureSettings } from '#shared/contract/procedure-settings.ts';
import { inputOf } from './procedure-inputs.ts';
import { declaredResults, parameterOutput, returnCodeOutput } from './procedure-outputs.ts';

export interface Described {
  connection: { name: string; kind: 'pg' | 'mssql' };
  procedure: PinnedProcedure;
}

const RETURN_CODE = 'ReturnCode';

export const hasReturnCode = ({ connection, procedure }: Described): boolean =>
  connection.kind === 'mssql' && procedure.kind === 'procedure';

/**
 * Returns the initial settings. An output parameter of SQL Server also accepts a value, but few are meant to, so forms
 * do not ask for it.
 */
export function firstSettings({ connection, procedure }: Described): ProcedureSettings {
  return {
    Parameters: procedure.parameters.map(({ name, direction, mayBeLeftOut }) => {
      const gives = connection.kind === 'mssql' && direction === 'inout';
      return {
        Name: name,
        DisplayName: '',
        Description: '',
        Hidden: gives,
        Required: !gives && mayBeLeftOut !== true,
        MayBeLeftOut: mayBeLeftOut === true,
        AsNumber: false,
        Pickers: [],
      };
    }),
    Results: null,
    ReturnCodeFails: false,
    CommitsByItself: false,
    LargeResultFormat: 'xlsx',
  };
}

/**
 * Returns settings for exactly the existing parameters: the given settings in their order, then initial settings for
 * the others.
 */
export function fittingSettings(described: Described, settings: ProcedureSettings): ProcedureSettings {
  const { parameters } = described.procedure;
  const named = settings.Parameters.filter(({ Name }) => parameters.some(({ name }) => name === Name));
  const others = firstSettings(described).Parameters.filter(({ Name }) => !named.some((one) => one.Name === Name));
  return { ...settings, Parameters: [...named, ...others] };
}

/** @param settings as returned by fittingSettings */
export function definitionOf(described: Described, settings: ProcedureSettings): ActivityDefinition {
  const { connection, procedure } = described;
  const inputs: InputDefinition[] = [];
  const outputs: OutputDefinition[] = [];
  const parameters: BoundParameter[] = [];
  for (const one of settings.Parameters) {
    const parameter = procedure.parameters.find(({ name }) => name === one.Name)!;
    const name = one.DisplayName.trim() || one.Name;
    const isInput = parameter.direction !== 'out' && !parameter.isCursor;
    const isOutput = parameter.direction !== 'in' && !parameter.isCursor;
    if (isInput) inputs.push(inputOf(parameter, one, name));
    if (isOutput) outputs.push(parameterOutput(parameter, name, one.Description));
    parameters.push({
      parameter: one.Name,
      input: isInput ? name : null,
      output: isOutput ? name : null,
      mayBeLeftOut: one.MayBeLeftOut,
      required: one.Required,
    });
  }
  const returnCode = hasReturnCode(described) ? RETURN_CODE : null;
  if (returnCode !== null) outputs.push(returnCodeOutput(returnCode));
  const results = declaredResults(procedure, settings.Results);
  return {
    inputs: inputs.map((input) => withOtherInputs(input, inputs)),
    outputs: [...outputs, ...results.outputs],
    steps: [],
    display: { RunActivityTitle: '', StartDisplayName: '', Classifications: [] },
    procedure: {
      connection: connection.name,
      pinned: procedure,
      settings,
      parameters,
      results: results.declared,
      returnCode,
    },
  };
}

/** Adds the inputs whose values a Database picker uses, for either kind of database. */
function withOtherInputs(input: InputDefinition, inputs: readonly InputDefinition[]): InputDefinition {
  if (!input.pickerQueries) return input;
  const Pickers = input.Info.Pickers.map((picker, column) => {
    const query = input.pickerQueries?.[column];
    if (!query) return picker;
    const asked = (['pg', 'mssql'] as const).flatMap((kind) => parseQueryText(query.Query, kind).parameters);
    const others = inputs.filter(({ Name }) => asked.some((parameter) => isParameterOf(parameter, Name)));
    return { ...picker, OtherInputs: others.map(({ Name }) => Name) };
  });
  return { ...input, Info: { ...input.Info, Pickers } };
}

/** Returns the problems that prevent the procedure from becoming an activity, as sentences. */
export function definitionProblems(
  { procedure }: Described,
  settings: ProcedureSettings,
  { inputs, outputs }: Pick<ActivityDefinition, 'inputs' | 'outputs'>,
): string[] {
  const problems = [...procedure.refusals, ...unfillableColumns(procedure.parameters)];
  for (const one of settings.Parameters) {
    const parameter = procedure.parameters.find(({ name }) => name === one.Name);
    if (!parameter) problems.push(`The procedure has no parameter '${one.Name}'`);
    else problems.push(...parameterProblems(parameter, one));
  }
  const twice = settings.Parameters.find(
    (one, index) => settings.Parameters.findIndex(({ Name }) => Name === one.Name) < index,
  );
  if (twice) problems.push(`There are two settings of the parameter '${twice.Name}'`);
  return [...problems, ...sameNames('inputs', inputs), ...sameNames('outputs', outputs)];
}

function sameNames(what: string, list: readonly { Name: string }[]): string[] {
  const groups = Map.groupBy(list, ({ Name }) => nameKey(Name));
  return [...groups.values()].flatMap((same) => (same.length > 1 ? [`Two ${what} are named '${same[0]!.Name}'`] : []));
}

function parameterProblems(
  { name, type, mayBeLeftOut, direction }: ProcedureParameter,
  one: ParameterSettings,
): string[] {
  const problems: string[] = [];
  if (direction === 'out') return problems;
  if (one.MayBeLeftOut && mayBeLeftOut === false) problems.push(`'${name}' has no default, so it cannot be left out`);
  const width = type.kind === 'Table' ? type.columns.length : 1;
  if (one.Pickers.length > width) problems.push(`'${name}' has pickers for more columns than it has`);
  for (const [index, picker] of one.Pickers.entries()) {
    const of = type.kind === 'Table' ? type.columns[index]?.type : type;
    const problem = of && pickerProblem(picker, of.kind, type.kind === 'Table');
    if (problem) problems.push(`The picker of '${name}' ${problem}`);
  }
  return problems;
}

function pickerProblem(
  { Type, Items, ConnectionName, Query, Columns }: ParameterSettings['Pickers'][number],
  kind: ProcedureParameter['type']['kind'],
  isColumn: boolean,
): string | null {
  if (Type === 'None') return null;
  if (kind === 'File' || kind === 'Boolean') return 'has nothing to choose from: it takes files, true or false';
  if (Type === 'List') return Items && Items.length > 0 ? null : 'has no items';
  if (Type === 'Database') return ConnectionName && Query ? null : 'needs a connection and a query';
  if (isColumn || kind !== 'Text') return 'makes conditions, which only a text takes';
  return Columns && Columns.length > 0 ? null : 'needs the columns that a condition may name';
}
