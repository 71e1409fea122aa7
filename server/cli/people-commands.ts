/** Commands for many users and rights at once: users export, users import, rights export, rights import. */
import type { Command } from 'commander';
import { counted } from '#shared/codecs/counted.ts';
import { writeCsvRows } from './csv-file.ts';
import { exportRights, importRights, RIGHT_COLUMNS } from './people/rights-file.ts';
import { exportUsers, importUsers, USER_COLUMNS } from './people/users-file.ts';
import type { CommandContext } from './run-commands.ts';
import { printable } from './terminal.ts';

const DRY_RUN = ['--dry-run', 'print the changes without applying them'] as const;

export function addPeopleCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  const onLine = (line: string): void => terminal.print(printable(line));
  const users = program
    .command('users')
    .description('Exports and imports the users of a portal.')
    .summary('export and import users');
  users
    .command('export')
    .summary('write all users into a CSV file')
    .argument('<file>', 'output file; must not exist')
    .option('--no-roles', 'without roles, for people who may not manage them')
    .action(async (file: string, { roles }: { roles: boolean }) => {
      const rows = await exportUsers(context.client(), roles);
      const columns = roles ? USER_COLUMNS : USER_COLUMNS.filter((column) => column !== 'Roles');
      await writeCsvRows(file, columns, rows);
      terminal.print(`${file} holds ${counted(rows.length, 'user')}`);
    });
  users
    .command('import')
    .summary('create and change users from a CSV file')
    .description(
      `Columns: ${USER_COLUMNS.join(', ')}. Only UserName is required; what is not in the file stays unchanged.\n` +
        'Roles are separated by |; the user is removed from all others. Users are never deleted; Enabled "no" stops a user from signing in.\n' +
        'The file contains no passwords: a new user gets a link by mail, or the link is printed here. The whole file is checked before the first\n' +
        'change. You can import a file again.',
    )
    .argument('<file>', 'CSV file with headings; - for standard input')
    .option(...DRY_RUN)
    .action((file: string, { dryRun = false }: { dryRun?: boolean }) =>
      importUsers(context.client(), file, { isTrial: dryRun, onLine }),
    );
  const rights = program
    .command('rights')
    .description('Exports and imports the rights that are granted or denied to users and roles.')
    .summary('export and import rights');
  rights
    .command('export')
    .summary('write the granted and denied rights into a CSV file')
    .argument('<file>', 'output file; must not exist')
    .action(async (file: string) => {
      const rows = await exportRights(context.client());
      await writeCsvRows(file, RIGHT_COLUMNS, rows);
      terminal.print(`${file} holds ${counted(rows.length, 'right')}`);
    });
  rights
    .command('import')
    .summary('grant and deny rights from a CSV file')
    .description(
      `Columns: ${RIGHT_COLUMNS.join(', ')}. Access is granted, denied or none; each line names a user or a role. KeyColumn and Key limit\n` +
        'a right, such as Schema and Finance. A Name must match the name of the key in this portal. Rights that are not in the file stay unchanged.',
    )
    .argument('<file>', 'CSV file with headings; - for standard input')
    .option(...DRY_RUN)
    .action((file: string, { dryRun = false }: { dryRun?: boolean }) =>
      importRights(context.client(), file, { isTrial: dryRun, onLine }),
    );
}
