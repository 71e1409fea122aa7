/** Who may see which table: sk.ViewTable for it, and sk.UseConnection for its connection. */
import { AppError } from '#server/base/app-error.ts';
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { NamedConnection } from '#server/connections/types.ts';
import { isInScope } from '#server/features/rights/right-scope.ts';
import type { RightsService } from '#server/features/rights/rights-service.ts';
import { tableKeys } from './table-keys.ts';

export interface TableAccess {
  /** A test for many tables. */
  filter(person: Holder): Promise<(connection: string, table: string) => boolean>;
  /** The connection, where the person may see the table; null where not, or where there is no such connection. */
  connectionFor(person: Holder, connection: string, table: string): Promise<NamedConnection | null>;
  connections(person: Holder): Promise<NamedConnection[]>;
  /** Whether the person may make and change views. */
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

/** Carries out what asks a connection, and answers its errors as the API does. */
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
