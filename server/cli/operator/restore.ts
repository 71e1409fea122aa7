/**
 * `runsheet restore FILE`: restores a backup into an empty database and an empty file store, with the settings of the
 * server that will use them. After an interruption, it can be run again. Returns 1 if the backup lacks files, which the
 * installation had already lost before the backup.
 */
import { restoreCommand } from './backup-commands.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { counted } from '#shared/codecs/counted.ts';
import { ExitCode } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

export async function restore({ print, printMessage, env }: Terminal, path: string): Promise<ExitCode> {
  const { time, files, tables, damagedFiles, hasOtherKey } = await restoreCommand(loadConfig(env), path);
  const rows = tables === null ? 'no database' : counted(tables, 'table');
  print(`Restored ${rows} and ${counted(files, 'file')} as of ${time}.`);
  if (damagedFiles.length > 0) {
    printMessage(`${counted(damagedFiles.length, 'file was', 'files were')} damaged when the backup was made.`);
  }
  if (hasOtherKey) {
    printMessage(
      'This secret key differs from the key of the backup. Install the key of the backup before the first start; otherwise people must set up their second factors again.',
    );
  }
  return damagedFiles.length > 0 ? ExitCode.RunFailed : ExitCode.Succeeded;
}
