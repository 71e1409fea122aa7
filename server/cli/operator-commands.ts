/** Commands of whoever keeps a portal running: they take the server's settings, and work on its machine. */
import type { Command } from 'commander';

interface Operation {
  summary: string;
  /** Of what follows the command, which the operation reads itself. */
  usage: string;
  load: () => Promise<unknown>;
}

const OPERATIONS: Record<string, Operation> = {
  serve: {
    summary: 'start a portal, or a worker of one, until it is stopped',
    usage: '',
    load: () => import('../main.ts'),
  },
  migrate: {
    summary: 'bring the tables of the database up to date',
    usage: '',
    load: () => import('./operator/migrate.ts'),
  },
  backup: {
    summary: 'one file of database and stored files, while the portal runs',
    usage: '<folder or file> [--keep <number>]',
    load: () => import('./operator/backup.ts'),
  },
  restore: {
    summary: 'bring a backup back into an empty place',
    usage: '<file>',
    load: () => import('./operator/restore.ts'),
  },
  'verify-data': {
    summary: 'look whether all stored files and security actions are there',
    usage: '[--read]',
    load: () => import('./operator/verify-data.ts'),
  },
  'verify-security-log': {
    summary: 'compute the chain of security actions anew',
    usage: '[ID:HASH]',
    load: () => import('./operator/verify-security-log.ts'),
  },
  replay: {
    summary: 'replay the test cases of all activities, as after an upgrade',
    usage: '[--activity <number>] [--json]',
    load: () => import('./operator/replay.ts'),
  },
  'reset-admin-password': {
    summary: 'a new password for the administrator',
    usage: '',
    load: () => import('./operator/reset-admin-password.ts'),
  },
};

export function addOperatorCommands(program: Command): void {
  for (const [name, { summary, usage, load }] of Object.entries(OPERATIONS)) {
    program
      .command(name)
      .summary(summary)
      .description(
        `${summary[0]!.toUpperCase()}${summary.slice(1)}. Settings come from the environment, as the server's do.`,
      )
      .usage(usage)
      .argument('[arguments...]')
      .allowUnknownOption()
      .action(async (_given: string[], _options: object, command: Command) => {
        process.argv.splice(2, Infinity, ...command.args);
        await load();
      });
  }
}
