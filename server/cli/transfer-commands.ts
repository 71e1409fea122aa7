/** Commands that copy activities from one portal to another: export, import. */
import type { Command } from 'commander';
import { counted } from '#shared/codecs/counted.ts';
import { CliError, ExitCode } from './cli-error.ts';
import type { CommandContext } from './run-commands.ts';
import { printable } from './terminal.ts';
import { readBundle, writeBundle } from './transfer/bundle.ts';
import { editableActivities, exportActivities } from './transfer/export-activities.ts';
import { importBundle } from './transfer/import-activities.ts';

export function addTransferCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command('export')
    .summary('export activities from a portal into a file')
    .description(
      'Writes the newest workbooks of activities into one file, with their settings, their preset values and the links between them. Workflows\n' +
        'can be exported too. Runs, rights, schedules and the data that workbooks query are not exported.',
    )
    .argument('<file>', 'output file, such as activities.zip; must not exist')
    .argument('[activities...]', 'numbers, names, or Schema/Name')
    .option('--all', 'all workbooks that you may edit')
    .option('--workflow <names...>', 'workflows to export', [])
    .action(async (file: string, names: string[], { all, workflow }: { all?: boolean; workflow: string[] }) => {
      const client = context.client();
      const which = all ? await editableActivities(client) : names;
      if (which.length + workflow.length === 0) throw new CliError('Name the activities to export, or use --all');
      const bundle = await exportActivities(client, which, workflow);
      await writeBundle(file, bundle);
      const { Activities, Workflows } = bundle.manifest;
      const activities = counted(Activities.length, 'activity', 'activities');
      terminal.print(`${file} holds ${activities} and ${counted(Workflows.length, 'workflow')}`);
      for (const link of bundle.skipped) {
        terminal.printMessage(printable(`Skipped a link to an activity that is not exported: ${link}`));
      }
    });
  program
    .command('import')
    .summary('import activities from a file into a portal')
    .description(
      'An activity that exists, by its schema and name, gets a new version if the workbook differs, and the settings, preset values and links\n' +
        'of the file. All others are created. You can repeat an import: what was imported before stays unchanged.',
    )
    .argument('<file>', 'file from "runsheet export"')
    .option('--dry-run', 'print the changes without applying them')
    .option('--change <text>', 'description of the change', 'Imported')
    .option('--accept <functions...>', 'unsupported functions whose saved values may be used', [])
    .action(async (file: string, options: { dryRun?: boolean; change: string; accept: string[] }) => {
      const bundle = await readBundle(file);
      const { dryRun: isTrial = false, change, accept } = options;
      const onLine = (line: string): void => terminal.print(printable(line));
      await importBundle(context.client(), bundle, { isTrial, change, accept, onLine });
      context.end(ExitCode.Succeeded);
    });
}
