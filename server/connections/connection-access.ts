/** Checks who may use which named connection: the right sk.UseConnection, limited by connection name. */
import type { Holder } from '#server/base/person.ts';
import { ConnectionError } from './connection-error.ts';
import type { Connections, NamedConnection } from './types.ts';

export interface ConnectionAccess {
  /**
   * Throws ConnectionError 'missing' or 'denied'. Check it for the person who publishes, and again for the person who
   * runs.
   */
  require(person: Holder, name: string): Promise<NamedConnection>;
  /** Returns the connections that the person may use. */
  list(person: Holder): Promise<NamedConnection[]>;
}

/** Checks whether a person has a right on the connection with the given name. */
export interface ConnectionRights {
  has(person: Holder, right: 'sk.UseConnection', keys: { Name: string }): Promise<boolean>;
}

/** Wraps the access so that rights are read through `ask`. */
export function wrapConnectionAccess(
  access: ConnectionAccess,
  ask: <T>(read: () => Promise<T>) => Promise<T>,
): ConnectionAccess {
  return {
    require: (person, name) => ask(() => access.require(person, name)),
    list: (person) => ask(() => access.list(person)),
  };
}

export function createConnectionAccess(connections: Connections, rights: ConnectionRights): ConnectionAccess {
  return {
    require: async (person, name) => {
      const connection = connections.get(name);
      if (await rights.has(person, 'sk.UseConnection', { Name: connection.name })) return connection;
      throw new ConnectionError('denied', `You may not use the connection '${connection.name}'`);
    },
    list: async (person) => {
      const all = connections.names.map((name) => connections.get(name));
      const may = await Promise.all(all.map(({ name }) => rights.has(person, 'sk.UseConnection', { Name: name })));
      return all.filter((_, index) => may[index]);
    },
  };
}
