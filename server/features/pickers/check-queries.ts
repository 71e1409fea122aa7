/** Whether the queries of a workbook's pickers can be asked: told at upload, each with its cell. */
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { ActivityDefinition, InputDefinition, PickerQueryDefinition } from '#server/executors/executor.ts';
import { isParameterOf, parseQueryText } from '#shared/codecs/query-text.ts';
import type { WorkbookFault } from '#shared/contract/fidelity.ts';
import { describeQuery } from './database-picker.ts';
import { isParameterInput } from './picker-parameters.ts';
import { piecesOf } from './value-sources.ts';

/** Every fault of the pickers' queries; the publisher must hold sk.UseConnection for each connection. */
export async function pickerQueryFaults(
  connections: ConnectionAccess,
  publisher: Holder,
  { inputs }: Pick<ActivityDefinition, 'inputs'>,
  signal: AbortSignal,
): Promise<WorkbookFault[]> {
  const faults: WorkbookFault[] = [];
  for (const input of inputs) {
    for (const query of input.pickerQueries ?? []) {
      const fault = query && (await faultOf(connections, publisher, { inputs, input, query }, signal));
      if (fault) faults.push(fault);
    }
  }
  return faults;
}

interface Asked {
  inputs: readonly InputDefinition[];
  input: InputDefinition;
  query: PickerQueryDefinition;
}

async function faultOf(
  connections: ConnectionAccess,
  publisher: Holder,
  { inputs, input, query }: Asked,
  signal: AbortSignal,
): Promise<WorkbookFault | null> {
  const fault = (text: string, Remedy: string): WorkbookFault => {
    const Message = `The database picker of '${input.Name}': ${text.replace(/\.$/, '')}.`;
    return { Sheet: query.Sheet, Cell: query.Cell, Message, Remedy };
  };
  try {
    const connection = await connections.require(publisher, query.Connection);
    const { parameters } = parseQueryText(query.Query, connection.kind);
    for (const parameter of parameters) {
      const other = inputs.find(({ Name }) => isParameterOf(parameter, Name));
      if (!other)
        return fault(
          `there is no input for @${parameter}`,
          'Write the name of an input after the @, with _ for its spaces.',
        );
      if (other === input) return fault(`@${parameter} is the picker's own input`, 'Name another input.');
      if (!isParameterInput(other.Info))
        return fault(`@${parameter} is not a single value`, 'Name an input of one cell that takes a value.');
    }
    if (connection.kind === 'mssql' && /^\s*with\b/i.test(query.Query)) {
      return fault(
        'the query begins with WITH, which SQL Server does not take here',
        'Put what follows WITH into brackets after FROM, or make a view of it.',
      );
    }
    await describeQuery(
      connection,
      piecesOf(connection, query, () => null),
      signal,
    );
    return null;
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    return fault(
      decapitalised(error.message),
      REMEDIES[error.kind] ?? 'Correct the query and upload the workbook again.',
    );
  }
}

const decapitalised = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const REMEDIES: Partial<Record<ConnectionError['kind'], string>> = {
  missing: 'Name a connection of this server, or have an administrator add it.',
  denied: 'Have an administrator grant you the right to use it (sk.UseConnection).',
  unreachable: 'Upload the workbook again when the database is there.',
  timeLimit: 'Make the query faster, for example by an index.',
};
