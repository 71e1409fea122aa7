/** Checks at upload whether the queries of a workbook's pickers can be executed. Each problem names its cell. */
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { ResultColumn } from '#server/connections/types.ts';
import type {
  ActivityDefinition,
  InputDefinition,
  PickerQueryDefinition,
} from '#server/executors/activity-definition.ts';
import { isParameterOf, parseQueryText } from '#shared/codecs/query-text.ts';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import { describeQuery } from './database-picker.ts';
import { isParameterInput } from './picker-parameters.ts';
import { fragmentsOf } from './value-sources.ts';

export interface CheckedQueries<Definition> {
  problems: WorkbookProblem[];
  /** The definition with the input types that only their query determines. */
  definition: Definition;
  /** The inferred types, each with its reason. */
  findings: WorkbookProblem[];
}

/** Returns all problems of the pickers' queries. The publisher must hold sk.UseConnection for each connection. */
export async function checkPickerQueries<Definition extends Pick<ActivityDefinition, 'inputs'>>(
  connections: ConnectionAccess,
  publisher: Holder,
  definition: Definition,
  signal: AbortSignal,
): Promise<CheckedQueries<Definition>> {
  const checked: CheckedQueries<Definition> = { problems: [], definition: structuredClone(definition), findings: [] };
  const { inputs } = checked.definition;
  for (const input of inputs) {
    for (const [index, query] of (input.pickerQueries ?? []).entries()) {
      if (!query) continue;
      const answer = await columnOf(connections, publisher, { inputs, input, query }, signal);
      if ('Message' in answer) checked.problems.push(answer);
      else if (query.unknownField !== undefined) {
        input.Info.CellUsages[index] = answer.kind;
        checked.findings.push(kindFinding(query, query.unknownField, answer.kind));
        delete query.unknownField;
      }
    }
  }
  return checked;
}

const WORDS: Record<ResultColumn['kind'], string> = {
  Number: 'numbers',
  Date: 'dates',
  Boolean: 'TRUE and FALSE',
  Text: 'texts',
};

const kindFinding = (
  { Sheet, Cell }: PickerQueryDefinition,
  field: string,
  kind: ResultColumn['kind'],
): WorkbookProblem => ({
  Sheet,
  Cell,
  Message: `The ${field} is treated as a ${kind}, because the query of its picker returns ${WORDS[kind]}.`,
  Remedy: 'To choose it yourself, give its cells a number format, or enter CellUsages in PortalInputs.',
});

interface Asked {
  inputs: readonly InputDefinition[];
  input: InputDefinition;
  query: PickerQueryDefinition;
}

/** Returns the value column of a query's result, or what is wrong with it. */
async function columnOf(
  connections: ConnectionAccess,
  publisher: Holder,
  { inputs, input, query }: Asked,
  signal: AbortSignal,
): Promise<ResultColumn | WorkbookProblem> {
  const problemOf = (text: string, Remedy: string): WorkbookProblem => {
    const Message = `The database picker of '${input.Name}': ${text.replace(/\.$/, '')}.`;
    return { Sheet: query.Sheet, Cell: query.Cell, Message, Remedy };
  };
  try {
    const connection = await connections.require(publisher, query.Connection);
    const { parameters } = parseQueryText(query.Query, connection.kind);
    for (const parameter of parameters) {
      const other = inputs.find(({ Name }) => isParameterOf(parameter, Name));
      if (!other)
        return problemOf(
          `there is no input for @${parameter}`,
          'Write the name of an input after the @, with _ for its spaces.',
        );
      if (other === input) return problemOf(`@${parameter} is the picker's own input`, 'Name another input.');
      if (!isParameterInput(other.Info))
        return problemOf(`@${parameter} is not a single value`, 'Name an input of one cell that takes a value.');
    }
    if (connection.kind === 'mssql' && /^\s*with\b/i.test(query.Query)) {
      return problemOf(
        'the query begins with WITH, which SQL Server does not take here',
        'Put what follows WITH into brackets after FROM, or make a view of it.',
      );
    }
    const { value } = await describeQuery(
      connection,
      fragmentsOf(connection, query, () => null),
      signal,
    );
    return value;
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    return problemOf(
      decapitalised(error.message),
      HOW_TO_FIX[error.kind] ?? 'Correct the query and upload the workbook again.',
    );
  }
}

const decapitalised = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const HOW_TO_FIX: Partial<Record<ConnectionError['kind'], string>> = {
  missing: 'Name a connection of this server, or have an administrator add it.',
  denied: 'Have an administrator grant you the right to use it (sk.UseConnection).',
  unreachable: 'Upload the workbook again when the database is there.',
  timeLimit: 'Make the query faster, for example by an index.',
};
