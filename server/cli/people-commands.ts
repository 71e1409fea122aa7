/** Commands for many users and rights at once: users export, users import, rights export, rights import. */
import type { Command } from 'commander';
import { counted } from '#shared/codecs/counted.ts';
import { writeCsvRows } from './csv-file.ts';
import { exportRights, importRights, RIGHT_COLUMNS } from './people/rights-file.ts';
import { exportUsers, importUsers, USER_COLUMNS } from './people/users-file.ts';
import type { CommandContext } from './run-commands.ts';
import { printable } from './terminal.ts';

const DRY_RUN = ['--dry-run', 'only say what would be done'] as const;

export function addPeopleCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  const onLine = (line: string): void => terminal.print(printable(line));
  const users = program.command('users').description('Users of a portal, many at once.').summary('users, many at once');
  users
    .command('export')
    .summary('write all users into a CSV')
    .argument('<file>', 'to write; it must not be there')
    .option('--no-roles', 'without the roles, for those who may not manage them')
    .action(async (file: string, { roles }: { roles: boolean }) => {
      const rows = await exportUsers(context.client(), roles);
      const columns = roles ? USER_COLUMNS : USER_COLUMNS.filter((column) => column !== 'Roles');
      await writeCsvRows(file, columns, rows);
      terminal.print(`${file} holds ${counted(rows.length, 'user')}`);
    });
  users
    .command('import')
    .summary('make and change users by a CSV')
    .description(
      `Columns: ${USER_COLUMNS.join(', ')}; only UserName is needed, and what is not in the file stays as it is.\n` +
        'Roles are parted by |, and are all that the user is to be in. Nobody is deleted; Enabled no keeps somebody from signing in. Passwords are\n' +
        'not in the file: who is new gets a link by mail, or it is printed here. The whole file is looked at first, and it may be imported again.',
    )
    .argument('<file>', 'CSV with headings; - for standard input')
    .option(...DRY_RUN)
    .action((file: string, { dryRun = false }: { dryRun?: boolean }) =>
      importUsers(context.client(), file, { isTrial: dryRun, onLine }),
    );
  const rights = program
    .command('rights')
    .description('What users and roles are granted and denied, many at once.')
    .summary('rights, many at once');
  rights
    .command('export')
    .summary('write what was granted and denied into a CSV')
    .argument('<file>', 'to write; it must not be there')
    .action(async (file: string) => {
      const rows = await exportRights(context.client());
      await writeCsvRows(file, RIGHT_COLUMNS, rows);
      terminal.print(`${file} holds ${counted(rows.length, 'right')}`);
    });
  rights
    .command('import')
    .summary('grant and deny rights by a CSV')
    .description(
      `Columns: ${RIGHT_COLUMNS.join(', ')}. Access is granted, denied or none; a line names a user or a role. KeyColumn and Key limit a\n` +
        'right, such as Schema and Finance; where Name is given it must be what the key is called at this portal. What is not in the file stays.',
    )
    .argument('<file>', 'CSV with headings; - for standard input')
    .option(...DRY_RUN)
    .action((file: string, { dryRun = false }: { dryRun?: boolean }) =>
      importRights(context.client(), file, { isTrial: dryRun, onLine }),
    );
}
