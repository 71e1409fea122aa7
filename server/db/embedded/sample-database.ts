/** A second database beside the portal's in the embedded PostgreSQL, with something in it to try procedures and table views on. */
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { withClient } from './provision.ts';

type Server = Pick<EmbeddedPostgres, 'adminUrl'>;

/** Database, and login of its connection. */
const NAME = 'samples';
/** Owns the tables and what the procedures do, and cannot sign in. */
const OWNER = 'samples_owner';
/** Made in the transaction that makes everything in it: where it is, all is. */
export const SAMPLE_SCHEMA = 'shop';
const SCRIPTS = fileURLToPath(new URL('../../../samples/database', import.meta.url));
const CONNECTIONS = 8;
/** Nobody else in the server may be kept from working by a sort of the login. */
const TEMPORARY_FILES = '512MB';

/**
 * Makes the database, still empty, and its login, where they are missing, and keeps that login out of every other database of the server.
 * Answers its URL, which holds a password.
 */
export async function provisionSampleDatabase(server: Server): Promise<string> {
  const url = loginUrl(server);
  await withClient({ connectionString: server.adminUrl('postgres') }, async (client) => {
    // Before there is anybody to keep out. Databases that were restored or added since the last start are closed as well.
    await keepOut(client);
    await ensureRoles(client, decodeURIComponent(new URL(url).password));
    await ensureDatabase(client);
  });
  return url;
}

/**
 * Makes tables, rows and procedures in one transaction, so that whatever ends it leaves none of them; answers false where they are there.
 * @param signal ends it in the database
 */
export async function fillSampleDatabase(server: Server, signal: AbortSignal): Promise<boolean> {
  return withClient({ connectionString: server.adminUrl(NAME) }, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const stop = (): void => void terminate(server, rows[0]!.pid).catch(() => undefined);
    signal.addEventListener('abort', stop);
    try {
      signal.throwIfAborted();
      await client.query('begin');
      // Another program that was killed may still be at it in the server.
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

/** Not derived the other way: whoever learns this password has learnt nothing about the server's. */
function loginUrl(server: Server): string {
  const url = new URL(server.adminUrl(NAME));
  url.password = createHmac('sha256', decodeURIComponent(url.password)).update(NAME).digest('base64url');
  url.username = NAME;
  return url.href;
}

async function keepOut(client: Client): Promise<void> {
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
  // Also where a start was cut short after the statement before.
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

/** What PostgreSQL lets everybody do in a database: write code, and keep large objects. */
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
