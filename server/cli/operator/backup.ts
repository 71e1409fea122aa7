/**
 * `runsheet backup TARGET [--keep N]`: writes the database and the stored files to one file while the portal runs.
 * Returns 1 if files were missing or damaged, or if older backups could not be deleted; the backup is complete
 * nevertheless.
 */
import { backUpCommand, type BackUpOptions } from './backup-commands.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { counted } from '#shared/codecs/counted.ts';
import { ExitCode } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

const MAX_NAMED_FILES = 20;

export async function backup({ print, printMessage, env }: Terminal, options: BackUpOptions): Promise<ExitCode> {
  const report = await backUpCommand(loadConfig(env), options);
  const { path, sha256, tables, files, damagedFiles, deleted, undeletable } = report;
  print(`${path} holds ${tables === null ? 'no database' : counted(tables, 'table')} and ${counted(files, 'file')}.`);
  print(`Its SHA-256 is ${sha256}, which is also in a file beside it.`);
  print('The secret key is not in it: keep it elsewhere (docs/operating.md).');
  if (tables === null) {
    print(
      'Back up the SQL Server database with BACKUP DATABASE, each time before you back up the files (docs/operating.md).',
    );
  }
  for (const name of deleted) print(`Deleted the older file ${name}.`);
  for (const { name, reason } of undeletable) printMessage(`The older file ${name} could not be deleted: ${reason}`);
  if (damagedFiles.length === 0) return undeletable.length === 0 ? ExitCode.Succeeded : ExitCode.RunFailed;
  const named = damagedFiles.slice(0, MAX_NAMED_FILES).join(', ');
  const are = counted(damagedFiles.length, 'file is missing or was changed', 'files are missing or were changed');
  printMessage(`${are}: ${named}`);
  return ExitCode.RunFailed;
}
