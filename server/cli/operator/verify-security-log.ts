/**
 * `npm run verify-security-log`: computes the chain of security actions anew, with the same settings as the server's. Prints the
 * last row and its hash; noted elsewhere and given as ID:HASH to a later run, they also show whether rows were cut off the end.
 * Ends with 1 where the log is not as it was written.
 */
import { pino } from 'pino';
import { loadConfig } from '#server/config/load-config.ts';
import { withCommandDatabase } from '#server/compose/command-database.ts';
import { verifyChain, type ChainReport } from '#server/features/security-actions/security-actions-service.ts';
import { exitOnStartError, StartError } from '#server/base/start-error.ts';

function readExpected(text: string | undefined): { Id: number; Hash: string } | undefined {
  if (text === undefined) return undefined;
  const [, id, Hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (id === undefined || Hash === undefined) throw new StartError('the row expected is written ID:HASH');
  return { Id: Number(id), Hash };
}

async function verify(): Promise<ChainReport> {
  const expected = readExpected(process.argv[2]);
  return withCommandDatabase(loadConfig(), pino({ level: 'silent' }), ({ knex }) => verifyChain(knex, expected));
}

const { count, last, fault } = await verify().catch(exitOnStartError);
if (fault) {
  console.error(`The log is not as it was written: row ${fault.Id} ${fault.reason}. ${count} rows before it are.`);
  process.exitCode = 1;
} else {
  console.log(`${count} security actions are as they were written.`);
  if (count > 0) console.log(`The last one is ${last.Id}:${last.Hash}`);
}
