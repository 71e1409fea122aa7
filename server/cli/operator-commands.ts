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

  operatorCommand('serve', 'start a portal, or a worker of one, until it is stopped').action(
    // This module ends the process itself.
    async () => void (await import('../main.ts')),
  );
  operatorCommand('migrate', 'bring the tables of the database up to date').action(async () =>
    execute((await import('./operator/migrate.ts')).migrate),
  );
  operatorCommand('backup', 'one file of database and stored files, while the portal runs')
    .argument('<target>', 'an existing folder, or a new file whose name ends with .zip')
    .option('--keep <number>', 'delete all but the newest backups in the folder', readCount)
    .action(async (target: string, options: { keep?: number }) =>
      execute((await import('./operator/backup.ts')).backup, { target, ...options }),
    );
  operatorCommand('restore', 'bring a backup back into an empty place')
    .argument('<file>', 'the backup')
    .action(async (file: string) => execute((await import('./operator/restore.ts')).restore, file));
  operatorCommand('verify-data', 'check that all stored files and security actions are there')
    .option('--read', 'also compare the bytes of each file with those that were stored')
    .action(async ({ read = false }: { read?: boolean }) =>
      execute((await import('./operator/verify-data.ts')).verifyStoredData, read),
    );
  operatorCommand('verify-security-log', 'check that the log of security actions is as it was written')
    .argument('[last]', 'ID:HASH, the last row and its hash as an earlier check printed them')
    .action(async (last: string | undefined) =>
      execute((await import('./operator/verify-security-log.ts')).verifySecurityLog, last),
    );
  operatorCommand('replay', 'replay the test cases of all activities, as after an upgrade')
    .option('--activity <number>', 'of this activity alone', readCount)
    .option('--json', 'print each activity as a line of JSON')
    .action(async ({ activity, json = false }: { activity?: number; json?: boolean }) =>
      execute((await import('./operator/replay.ts')).replay, { activityId: activity ?? null, json }),
    );
  operatorCommand('reset-admin-password', 'a new password for the administrator').action(async () =>
    execute((await import('./operator/reset-admin-password.ts')).resetAdminPassword),
  );
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CliError(`"${text}" is not a whole number of at least 1`);
  return Number(text);
}
