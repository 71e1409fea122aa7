/**
 * Decides who may see which table: this requires sk.ViewTable for the table and sk.UseConnection for its connection.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { NamedConnection } from '#server/connections/types.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { tableKeys } from './table-keys.ts';

export interface TableAccess {
  /** Returns a predicate for checking many tables. */
  filter(person: Holder): Promise<(connection: string, table: string) => boolean>;
  /** Returns the connection if the person may see the table; null if not, or if there is no such connection. */
  connectionFor(person: Holder, connection: string, table: string): Promise<NamedConnection | null>;
  connections(person: Holder): Promise<NamedConnection[]>;
  /** Returns whether the person may create and change views. */
  canManage(person: Holder): Promise<boolean>;
  rolesOf(person: Holder): Promise<string[]>;
}

export function createTableAccess(
  connections: ConnectionAccess,
  rights: Pick<RightsService, 'has' | 'scope' | 'rolesOf'>,
): TableAccess {
  return {
    filter: async (person) => {
      const [scope, usable] = await Promise.all([rights.scope(person, 'sk.ViewTable'), connections.list(person)]);
      const names = new Set(usable.map(({ name }) => name));
      return (connection, table) => names.has(connection) && isInScope(scope, tableKeys(connection, table));
    },
    connectionFor: async (person, connection, table) => {
      if (!(await rights.has(person, 'sk.ViewTable', tableKeys(connection, table)))) return null;
      return (await connections.list(person)).find(({ name }) => name === connection) ?? null;
    },
    connections: (person) => connections.list(person),
    canManage: (person) => rights.has(person, 'sk.ManageTableViews'),
    rolesOf: (person) => rights.rolesOf(person),
  };
}

/** Runs work that uses a connection, and converts a ConnectionError to an AppError. */
export async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ConnectionError ? answerOf(error) : error;
  }
}

function answerOf(error: ConnectionError): AppError {
  const { kind, message } = error;
  const status = kind === 'unreachable' ? 503 : kind === 'timeLimit' ? 504 : 400;
  return new AppError('connection', status, message, { cause: error });
}
