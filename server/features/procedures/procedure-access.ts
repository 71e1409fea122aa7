/** Finds procedures by the names that activities use: 'connection: schema.procedure'. */
import { AppError } from '#server/base/app-error.ts';
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { NamedConnection } from '#server/connections/types.ts';
import type { ProcedureDescription } from '#server/base/procedure-types.ts';

export interface FoundProcedure {
  connection: NamedConnection;
  procedure: ProcedureDescription;
}

export interface ProcedureAccess {
  /** Returns the current procedure. Throws an AppError if there is no such procedure that the person may use. */
  find(person: Holder, procedureName: string, signal: AbortSignal): Promise<FoundProcedure>;
  /**
   * Returns the current procedure of an existing activity. If the exact name no longer exists, a PostgreSQL procedure
   * with the same schema and name but other arguments is used, if it is the only one.
   */
  findAgain(person: Holder, procedureName: string, signal: AbortSignal): Promise<FoundProcedure>;
  connection(person: Holder, name: string): Promise<NamedConnection>;
}

export const procedureNameOf = (connection: string, name: string): string => `${connection}: ${name}`;

export function createProcedureAccess(connections: ConnectionAccess): ProcedureAccess {
  const connection: ProcedureAccess['connection'] = (person, name) => asking(() => connections.require(person, name));

  async function parts(person: Holder, procedureName: string): Promise<{ found: NamedConnection; name: string }> {
    // Names of connections contain no colon.
    const end = procedureName.indexOf(': ');
    if (end < 0) throw missing(procedureName);
    return { found: await connection(person, procedureName.slice(0, end)), name: procedureName.slice(end + 2) };
  }

  return {
    connection,
    find: async (person, procedureName, signal) => {
      const { found, name } = await parts(person, procedureName);
      const procedure = await asking(() => found.procedures.describe(name, signal));
      if (!procedure) throw missing(procedureName);
      return { connection: found, procedure };
    },
    findAgain: async (person, procedureName, signal) => {
      const { found, name } = await parts(person, procedureName);
      const procedure = await asking(
        async () => (await found.procedures.describe(name, signal)) ?? (await successor(found, name, signal)),
      );
      if (!procedure) throw missing(procedureName);
      return { connection: found, procedure };
    },
  };
}

const missing = (name: string): AppError => new AppError('procedureNotFound', 404, `There is no procedure '${name}'`);

/**
 * Searches by a prefix such as 'sales.close_month(' of 'sales.close_month(integer, date)'. Argument types contain no
 * opening parenthesis.
 */
async function successor(
  { procedures }: NamedConnection,
  name: string,
  signal: AbortSignal,
): Promise<ProcedureDescription | null> {
  const end = name.lastIndexOf('(');
  if (end < 0) return null;
  const alike = (await procedures.list(signal)).filter((one) => one.name.startsWith(name.slice(0, end + 1)));
  return alike.length === 1 ? procedures.describe(alike[0]!.name, signal) : null;
}

/** Runs work that uses a connection, and converts a ConnectionError to an AppError. */
async function asking<T>(work: () => Promise<T>): Promise<T> {
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
