/** Procedures by the names that activities call them: 'connection: schema.procedure'. */
import { AppError } from '#server/base/app-error.ts';
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { NamedConnection } from '#server/connections/types.ts';
import type { ProcedureDescription } from '#server/connections/procedures/types.ts';

export interface FoundProcedure {
  connection: NamedConnection;
  procedure: ProcedureDescription;
}

export interface ProcedureAccess {
  /** As it is now; throws an AppError where there is none that the person may use. */
  find(person: Holder, procedureName: string, signal: AbortSignal): Promise<FoundProcedure>;
  connection(person: Holder, name: string): Promise<NamedConnection>;
}

export const procedureNameOf = (connection: string, name: string): string => `${connection}: ${name}`;

export function createProcedureAccess(connections: ConnectionAccess): ProcedureAccess {
  const connection: ProcedureAccess['connection'] = (person, name) => asking(() => connections.require(person, name));
  return {
    connection,
    find: async (person, procedureName, signal) => {
      const missing = new AppError('procedureNotFound', 404, `There is no procedure '${procedureName}'`);
      // No name of a connection holds a colon.
      const end = procedureName.indexOf(': ');
      if (end < 0) throw missing;
      const found = await connection(person, procedureName.slice(0, end));
      const procedure = await asking(() => found.procedures.describe(procedureName.slice(end + 2), signal));
      if (!procedure) throw missing;
      return { connection: found, procedure };
    },
  };
}

/** Carries out what asks a connection, and answers its errors as the API does. */
export async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ConnectionError ? answerOf(error) : error;
  }
}

const STATUS: Partial<Record<ConnectionError['kind'], number>> = {
  denied: 403,
  missing: 404,
  unreachable: 503,
  timeLimit: 504,
};

function answerOf(error: ConnectionError): AppError {
  return new AppError('connection', STATUS[error.kind] ?? 400, error.message, { cause: error });
}
