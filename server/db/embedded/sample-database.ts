/**
 * A second database in the embedded PostgreSQL, next to the portal's, with sample data for trying out procedures and
 * table views.
 */
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { withClient } from './provision.ts';

type Server = Pick<EmbeddedPostgres, 'adminUrl'>;

/** Name of the database and of its login. */
const NAME = 'samples';
/** Owns the tables and the procedures, and cannot sign in. */
const OWNER = 'samples_owner';
/** Created in the transaction that creates everything in it: if the schema exists, everything does. */
export const SAMPLE_SCHEMA = 'shop';
const SCRIPTS = fileURLToPath(new URL('../../../samples/database', import.meta.url));
const CONNECTIONS = 8;
/** Limit on temporary files, so sorts of this login cannot fill the disk for everybody else on the server. */
const TEMPORARY_FILES = '512MB';

/**
 * Creates the still empty database and its login if they are missing, and locks this login out of every other database
 * of the server. Returns its URL, which contains a password.
 */
export async function provisionSampleDatabase(server: Server): Promise<string> {
  const url = loginUrl(server);
  await withClient({ connectionString: server.adminUrl('postgres') }, async (client) => {
    // First of all, while the login may not exist yet. This also closes databases that were restored or added since the
    // last start.
    await revokePublicAccess(client);
    await ensureRoles(client, decodeURIComponent(new URL(url).password));
    await ensureDatabase(client);
  });
  return url;
}

/**
 * Creates tables, rows and procedures in one transaction, so an interruption leaves nothing behind; returns false if
 * they exist already.
 * @param signal aborting it ends the transaction in the database
 */
export async function fillSampleDatabase(server: Server, signal: AbortSignal): Promise<boolean> {
  return withClient({ connectionString: server.adminUrl(NAME) }, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const stop = (): void => void terminate(server, rows[0]!.pid).catch(() => undefined);
    signal.addEventListener('abort', stop);
    try {
      signal.throwIfAborted();
      await client.query('begin');
      // The transaction of another program that was killed may still be running in the server.
      await client.query("select pg_advisory_xact_lock(hashtext('runsheet.samples'))");
      const isFilled =
        (await client.query('select from pg_namespace where nspname = $1', [SAMPLE_SCHEMA])).rowCount !== 0;
      if (!isFilled) await fill(client, signal);
      await client.query('commit');
      return !isFilled;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  });
}

/** Derives the password from the server's password one way: knowing it reveals nothing about the server's. */
function loginUrl(server: Server): string {
  const url = new URL(server.adminUrl(NAME));
  url.password = createHmac('sha256', decodeURIComponent(url.password)).update(NAME).digest('base64url');
  url.username = NAME;
  return url.href;
}

async function revokePublicAccess(client: Client): Promise<void> {
  const open = await client.query<{ datname: string }>(
    "select datname from pg_database where datname <> $1 and has_database_privilege('public', oid, 'CONNECT, TEMPORARY')",
    [NAME],
  );
  for (const { datname } of open.rows) {
    await client.query(`revoke connect, temporary on database ${client.escapeIdentifier(datname)} from public`);
  }
}

async function ensureRoles(client: Client, password: string): Promise<void> {
  const found = await client.query<{ rolname: string }>('select rolname from pg_roles where rolname in ($1, $2)', [
    NAME,
    OWNER,
  ]);
  const has = (name: string): boolean => found.rows.some(({ rolname }) => rolname === name);
  if (!has(OWNER)) await client.query(`create role ${OWNER} nologin`);
  if (has(NAME)) return;
  await client.query('begin');
  const secret = client.escapeLiteral(password);
  await client.query(`create role ${NAME} login noinherit connection limit ${CONNECTIONS} password ${secret}`);
  await client.query(`alter role ${NAME} set temp_file_limit = '${TEMPORARY_FILES}'`);
  await client.query('commit');
}

async function ensureDatabase(client: Client): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [NAME]);
  if (found.rowCount === 0) await client.query(`create database ${NAME} owner ${OWNER}`);
  // Repeated in case an earlier start was interrupted right after the previous statement.
  await client.query(`revoke all on database ${NAME} from public`);
  await client.query(`grant connect on database ${NAME} to ${NAME}`);
}

async function fill(client: Client, signal: AbortSignal): Promise<void> {
  for (const statement of CLOSED_TO_ALL) await client.query(statement);
  await client.query(`set local role ${OWNER}`);
  for (const script of ['tables.sql', 'procedures.sql']) {
    const text = await readFile(join(SCRIPTS, script), 'utf8');
    signal.throwIfAborted();
    await client.query(text);
  }
  for (const statement of OPEN_TO_LOGIN) await client.query(statement);
}

/** Revokes what PostgreSQL allows everybody in a database: writing code, and storing large objects. */
const CLOSED_TO_ALL = [
  'revoke usage on language plpgsql from public',
  `grant usage on language plpgsql to ${OWNER}`,
  'revoke all on schema public from public',
  'revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public',
];

const OPEN_TO_LOGIN = [
  `revoke execute on all routines in schema ${SAMPLE_SCHEMA} from public`,
  `grant usage on schema ${SAMPLE_SCHEMA} to ${NAME}`,
  `grant select on all tables in schema ${SAMPLE_SCHEMA} to ${NAME}`,
  `grant execute on all routines in schema ${SAMPLE_SCHEMA} to ${NAME}`,
];

async function terminate(server: Server, pid: number): Promise<void> {
  await withClient({ connectionString: server.adminUrl('postgres') }, (client) =>
    client.query('select pg_terminate_backend($1)', [pid]),
  );
}
