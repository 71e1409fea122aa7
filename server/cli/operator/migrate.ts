/**
 * `runsheet migrate`: brings the tables of the database up to date, with the same settings as the server's but, as RUNSHEET_DATABASE_URL, a
 * login that may make tables; so that the server's own need not.
 */
import { pino } from 'pino';
import { withCommandDatabase } from '#server/compose/command-database.ts';
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
  print(`The tables are up to date, as ${last} left them.`);
  return ExitCode.Succeeded;
}
