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
    .summary('take activities out of a portal, into a file')
    .description(
      'Writes the newest workbooks of activities into one file, with their settings, preset values, and links between them; and workflows.\n' +
        'Runs, rights, schedules and what workbooks query stay where they are.',
    )
    .argument('<file>', 'to write, such as activities.zip; it must not be there')
    .argument('[activities...]', 'numbers, names, or Schema/Name')
    .option('--all', 'all workbooks that you may edit')
    .option('--workflow <names...>', 'workflows to take along', [])
    .action(async (file: string, names: string[], { all, workflow }: { all?: boolean; workflow: string[] }) => {
      const client = context.client();
      const which = all ? await editableActivities(client) : names;
      if (which.length + workflow.length === 0) throw new CliError('Name activities to be exported, or say --all');
      const bundle = await exportActivities(client, which, workflow);
      await writeBundle(file, bundle);
      const { Activities, Workflows } = bundle.manifest;
      const activities = counted(Activities.length, 'activity', 'activities');
      terminal.print(`${file} holds ${activities} and ${counted(Workflows.length, 'workflow')}`);
      for (const link of bundle.skipped) {
        terminal.printMessage(printable(`Left out, as it leads to an activity that is not exported: ${link}`));
      }
    });
  program
    .command('import')
    .summary('bring exported activities into a portal')
    .description(
      'What is there by its schema and name gets a new version where the workbook is another, and the settings, preset values and links of the\n' +
        'file; everything else is made. It may be repeated: what was brought in before is left as it is.',
    )
    .argument('<file>', 'that "runsheet export" has written')
    .option('--dry-run', 'only say what would be done')
    .option('--change <text>', 'what is new, in words', 'Imported')
    .option('--accept <functions...>', 'functions that the engine lacks and that may keep their saved values', [])
    .action(async (file: string, options: { dryRun?: boolean; change: string; accept: string[] }) => {
      const bundle = await readBundle(file);
      const { dryRun: isTrial = false, change, accept } = options;
      const onLine = (line: string): void => terminal.print(printable(line));
      await importBundle(context.client(), bundle, { isTrial, change, accept, onLine });
      context.end(ExitCode.Succeeded);
    });
}
