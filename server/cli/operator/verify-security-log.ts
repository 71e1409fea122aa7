/**
 * `runsheet verify-security-log [ID:HASH]`: computes the hash chain of security actions again, and prints the last row
 * and its hash. If these are noted elsewhere and passed to a later check, the check also shows whether rows were
 * removed at the end. Returns 1 if the log was changed.
 */
import { pino } from 'pino';
import { loadConfig } from '#server/config/load-config.ts';
import { withCommandDatabase } from './command-database.ts';
import { verifyChain } from '#server/features/security-actions/security-actions-service.ts';
import { counted } from '#shared/codecs/counted.ts';
import { CliError, ExitCode } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

function readExpected(text: string | undefined): { Id: number; Hash: string } | undefined {
  if (text === undefined) return undefined;
  const [, id, Hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (id === undefined || Hash === undefined) throw new CliError('write the expected row as ID:HASH');
  return { Id: Number(id), Hash };
}

export async function verifySecurityLog({ print, printMessage, env }: Terminal, last?: string): Promise<ExitCode> {
  const expected = readExpected(last);
  const log = pino({ level: 'silent' });
  const report = await withCommandDatabase(loadConfig(env), log, ({ knex }) => verifyChain(knex, expected), {
    command: 'verify-security-log',
  });
  const { count, defect } = report;
  if (defect) {
    const before = counted(count, 'row before it is unchanged', 'rows before it are unchanged');
    printMessage(`The log was changed: row ${defect.Id} ${defect.reason}. ${before}.`);
    return ExitCode.RunFailed;
  }
  print(`${counted(count, 'security action is', 'security actions are')} unchanged.`);
  if (count > 0) print(`The last one is ${report.last.Id}:${report.last.Hash}`);
  return ExitCode.Succeeded;
}
