/**
 * `runsheet migrate`: migrates the tables of the database. It uses the settings of the server, except that
 * RUNSHEET_DATABASE_URL may have a login that can create tables. The server's own login then needs no such right.
 */
import { pino } from 'pino';
import { withCommandDatabase } from './command-database.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { ExitCode } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

export async function migrate({ print, env }: Terminal): Promise<ExitCode> {
  const log = pino({ level: 'silent' });
  const [last] = await withCommandDatabase(
    loadConfig(env),
    log,
    ({ knex }) => knex('Migrations').orderBy('id', 'desc').limit(1).pluck<string[]>('name'),
    { command: 'migrate', mayBeNew: true },
  );
  print(`The tables are up to date. The last migration is ${last}.`);
  return ExitCode.Succeeded;
}
