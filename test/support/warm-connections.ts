/**
 * Connections to a SQL Server that outlive the databases of tests. Servers of another maker learn to read statements in the process of each
 * connection: the first time a long one takes seconds, the second time milliseconds. So a connection whose database is dropped goes over to the
 * next one, its session reset.
 */
import type { Knex } from 'knex';
import { Request, type Connection } from 'tedious';

/** As Knex keeps it. */
type RawConnection = Connection & {
  connected: boolean;
  state: { name: string };
  inTransaction: boolean;
  resetConnectionOnNextRequest: boolean;
  __knex__disposed?: unknown;
};

interface MssqlClient {
  connectionSettings: { database: string };
  acquireRawConnection(): Promise<RawConnection>;
  destroyRawConnection(connection: RawConnection): Promise<void>;
}

/** Beyond them connections are closed: the server takes two hundred of all processes of tests. */
const MAX_IDLE = 8;

const idle: RawConnection[] = [];

const isUsable = ({ connected, state, inTransaction, __knex__disposed }: RawConnection): boolean =>
  connected && state.name === 'LoggedIn' && !inTransaction && __knex__disposed === undefined;

const send = (connection: RawConnection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.execSqlBatch(new Request(sql, (error) => (error ? reject(error) : resolve())));
  });

/** Has the pool take and leave such connections. @param name of its database */
export function shareConnections(knex: Knex, name: string): void {
  const client = knex.client as MssqlClient;
  const connect = client.acquireRawConnection.bind(client);
  const close = client.destroyRawConnection.bind(client);
  // A reset leads back to the database that a connection began with, which has to be there then.
  client.connectionSettings.database = 'master';
  client.acquireRawConnection = async () => {
    const kept = idle.splice(0).filter(isUsable);
    const connection = kept.pop() ?? (await connect());
    idle.push(...kept);
    await send(connection, `use [${name}]`);
    return connection;
  };
  client.destroyRawConnection = async (connection) => {
    if (idle.length >= MAX_IDLE || !isUsable(connection)) return close(connection);
    try {
      connection.resetConnectionOnNextRequest = true;
      await send(connection, 'use [master]');
      idle.push(connection);
    } catch {
      await close(connection);
    }
  };
}
