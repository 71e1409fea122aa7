/**
 * Commands for operators: they run on the portal's machine with the server's settings, and each returns its exit code.
 */
import type { Command } from 'commander';
import { CliError, type ExitCode } from './cli-error.ts';
import type { CommandContext } from './run-commands.ts';
import type { Terminal } from './terminal.ts';

type Operation<Values extends unknown[] = []> = (terminal: Terminal, ...values: Values) => Promise<ExitCode>;

export function addOperatorCommands(program: Command, { terminal, end }: CommandContext): void {
  const operatorCommand = (name: string, summary: string): Command =>
    program
      .command(name)
      .summary(summary)
      .description(
        `${summary[0]!.toUpperCase()}${summary.slice(1)}. Settings come from the environment, as the server's do.`,
      );
  const execute = async <Values extends unknown[]>(operation: Operation<Values>, ...values: Values): Promise<void> =>
    end(await operation(terminal, ...values));

  operatorCommand('serve', 'run the server of a portal, or a worker, until it is stopped').action(
    // This module ends the process itself.
    async () => void (await import('../main.ts')),
  );
  operatorCommand('migrate', 'migrate the tables of the database to this version').action(async () =>
    execute((await import('./operator/migrate.ts')).migrate),
  );
  operatorCommand('backup', 'back up the database and the stored files into one file, while the portal runs')
    .argument('<target>', 'an existing folder, or a new file whose name ends with .zip')
    .option('--keep <number>', 'delete all but the newest backups in the folder', readCount)
    .action(async (target: string, options: { keep?: number }) =>
      execute((await import('./operator/backup.ts')).backup, { target, ...options }),
    );
  operatorCommand('restore', 'restore a backup into an empty database and an empty file store')
    .argument('<file>', 'backup to restore')
    .action(async (file: string) => execute((await import('./operator/restore.ts')).restore, file));
  operatorCommand('verify-data', 'check that all stored files exist and the log of security actions is unchanged')
    .option('--read', 'also check that the content of each file is unchanged')
    .action(async ({ read = false }: { read?: boolean }) =>
      execute((await import('./operator/verify-data.ts')).verifyStoredData, read),
    );
  operatorCommand('verify-security-log', 'check that the log of security actions is unchanged')
    .argument('[last]', 'ID:HASH, the last row and its hash, as printed by an earlier check')
    .action(async (last: string | undefined) =>
      execute((await import('./operator/verify-security-log.ts')).verifySecurityLog, last),
    );
  operatorCommand('replay', 'replay the test cases of all activities, for example after an upgrade')
    .option('--activity <number>', 'replay only this activity', readCount)
    .option('--json', 'print one line of JSON per activity')
    .action(async ({ activity, json = false }: { activity?: number; json?: boolean }) =>
      execute((await import('./operator/replay.ts')).replay, { activityId: activity ?? null, json }),
    );
  operatorCommand('reset-admin-password', 'set a new password for the administrator, and print it').action(async () =>
    execute((await import('./operator/reset-admin-password.ts')).resetAdminPassword),
  );
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CliError(`"${text}" is not a whole number of at least 1`);
  return Number(text);
}
