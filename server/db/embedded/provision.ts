import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import type { Endpoint } from './endpoint.ts';

/** The program's database and role. The role owns its database and, unlike the superuser, has no other rights. */
export const DATABASE_NAME = 'runsheet';

export interface ServerAddress extends Endpoint {
  password: string;
}

/** Returns the connection settings for a database of the embedded server. */
export function clientConfig(address: ServerAddress, user: string, database: string): ClientConfig {
  return { ...address, user, database, connectionTimeoutMillis: 10_000 };
}

/** Returns the same as a URL, the form that all other parts of the program use for a database. */
export function databaseUrl({ host, port, password }: ServerAddress, user: string, database: string): string {
  const where = host.startsWith('/') ? `localhost/${database}?host=${encodeURIComponent(host)}&port=${port}` : '';
  return `postgres://${user}:${encodeURIComponent(password)}@${where || `${host}:${port}/${database}`}`;
}

/** Connects, runs `work`, and disconnects. */
export async function withClient<T>(config: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(config);
  // If its server dies, an idle client emits an error, which would otherwise end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Creates the program's role and database if they are missing: at the first start, or after an interrupted one. */
export async function provision(address: ServerAddress): Promise<void> {
  if (await canConnect(address)) return;
  await withClient(clientConfig(address, 'postgres', 'postgres'), async (client) => {
    const role = client.escapeIdentifier(DATABASE_NAME);
    const found = await client.query('select 1 from pg_roles where rolname = $1', [DATABASE_NAME]);
    const verb = found.rowCount === 0 ? 'create' : 'alter';
    await client.query(`${verb} role ${role} login password ${client.escapeLiteral(address.password)}`);
    const database = await client.query('select 1 from pg_database where datname = $1', [DATABASE_NAME]);
    if (database.rowCount === 0) await client.query(`create database ${role} owner ${role}`);
  });
}

/** SQLSTATEs of a wrong password or unknown role, and of an unknown database. */
const NOT_PROVISIONED = new Set(['28P01', '28000', '3D000']);

async function canConnect(address: ServerAddress): Promise<boolean> {
  try {
    await withClient(clientConfig(address, DATABASE_NAME, DATABASE_NAME), async () => {});
    return true;
  } catch (error) {
    if (NOT_PROVISIONED.has((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}
