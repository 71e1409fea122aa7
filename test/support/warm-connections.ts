/**
 * Connections to a SQL Server that outlive the test databases. Compatible servers of other vendors warm up per
 * connection process: a long statement takes seconds the first time and milliseconds the second time. When a database
 * is dropped, its connection is therefore reset and reused for the next one.
 */
import type { Knex } from 'knex';
import { Request, type Connection } from 'tedious';

/** The connection as Knex stores it. */
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

/** Further idle connections are closed: the server accepts two hundred from all test processes together. */
const MAX_IDLE = 8;

const idle: RawConnection[] = [];

const isUsable = ({ connected, state, inTransaction, __knex__disposed }: RawConnection): boolean =>
  connected && state.name === 'LoggedIn' && !inTransaction && __knex__disposed === undefined;

const send = (connection: RawConnection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.execSqlBatch(new Request(sql, (error) => (error ? reject(error) : resolve())));
  });

/** Makes the pool take connections from the idle ones and return them. @param name of its database */
export function shareConnections(knex: Knex, name: string): void {
  const client = knex.client as MssqlClient;
  const connect = client.acquireRawConnection.bind(client);
  const close = client.destroyRawConnection.bind(client);
  // A reset returns to the database with which the connection was opened; that database must still exist.
  client.connectionSettings.database = 'master';
  client.acquireRawConnection = async () => {
    const usable = idle.splice(0).filter(isUsable);
    const connection = usable.pop() ?? (await connect());
    idle.push(...usable);
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
