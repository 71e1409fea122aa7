import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import type { Endpoint } from './endpoint.ts';

/** Database and role of the program. The role owns its database and may nothing else, unlike the superuser. */
export const DATABASE_NAME = 'runsheet';

export interface ServerAddress extends Endpoint {
  password: string;
}

/** Where a client finds a database of the embedded server. */
export function clientConfig(address: ServerAddress, user: string, database: string): ClientConfig {
  return { ...address, user, database, connectionTimeoutMillis: 10_000 };
}

/** The same as one URL, the form in which every other part of the program takes a database. */
export function databaseUrl({ host, port, password }: ServerAddress, user: string, database: string): string {
  const where = host.startsWith('/') ? `localhost/${database}?host=${encodeURIComponent(host)}&port=${port}` : '';
  return `postgres://${user}:${encodeURIComponent(password)}@${where || `${host}:${port}/${database}`}`;
}

/** Connects, runs `work`, and disconnects. */
export async function withClient<T>(config: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(config);
  // An idle client whose server dies emits an error that would otherwise end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Makes the program's role and database where they are missing: at the first start, or after one that was cut short. */
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
