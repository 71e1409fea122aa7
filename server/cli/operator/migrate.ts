/**
 * `npm run migrate`: brings the tables of the database up to date, with the same settings as the server's but, as RUNSHEET_DATABASE_URL, a
 * login that may make tables; so that the server's own need not.
 */
import { pino } from 'pino';
import { exitOnStartError } from '#server/base/start-error.ts';
import { withCommandDatabase } from '#server/compose/command-database.ts';
import { loadConfig } from '#server/config/load-config.ts';

const log = pino({ level: 'silent' });
const [last] = await withCommandDatabase(loadConfig(), log, ({ knex }) =>
  knex('Migrations').orderBy('id', 'desc').limit(1).pluck<string[]>('name'),
).catch(exitOnStartError);
console.log(`The tables are up to date, as ${last} left them.`);
