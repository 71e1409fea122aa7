/** Commands about activities: list, show, upload, versions. */
import type { Command } from 'commander';
import { basename } from 'node:path';
import { CallFailure } from '#shared/client/client.ts';
import { findActivity } from '#shared/client/runs.ts';
import type { TextRegion } from '#shared/codecs/text-region.ts';
import { isFixed, valueShape } from '#shared/codecs/input-form.ts';
import { listActivities, type Activity } from '#shared/contract/activities.ts';
import { versionFidelity, type FidelityReport, type WorkbookProblem } from '#shared/contract/fidelity.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { STATUS_TEXT } from '#shared/contract/run-status.ts';
import { activityVersions, createActivity, UploadFailure } from '#shared/contract/versions.ts';
import { Value } from 'typebox/value';
import { counted } from '#shared/codecs/counted.ts';
import { CliError, ExitCode } from './cli-error.ts';
import { openFile } from './supplied-inputs.ts';
import { readRegion } from './region-option.ts';
import type { CommandContext } from './run-commands.ts';
import { printable, printJson, printTable, type Terminal } from './terminal.ts';

interface UploadOptions {
  activity?: string;
  name?: string;
  schema?: string;
  change: string;
  accept: string[];
  region?: TextRegion;
  strict?: boolean;
  json?: boolean;
}

export function addActivityCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command('list')
    .summary('list the activities you may see')
    .option('--json', 'print them as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { Activities } = await context.client().call(listActivities);
      if (json) return printJson(terminal, Activities);
      const rows = Activities.map(({ Id, Schema, Name, LastRun, IsActive }) => [
        String(Id),
        Schema,
        IsActive ? Name : `${Name} (not active)`,
        LastRun ? STATUS_TEXT[LastRun.Status] : '',
        LastRun?.QueueTime ?? '',
      ]);
      printTable(terminal, ['Number', 'Schema', 'Name', 'Last run', 'Queued'], rows);
    });
  program
    .command('show')
    .summary('show the inputs and outputs of an activity')
    .argument('<activity>', 'number, name, or Schema/Name')
    .option('--json', 'print it as JSON')
    .action(async (which: string, { json }: { json?: boolean }) => {
      const activity = await findActivity(context.client(), which);
      if (json) printJson(terminal, activity);
      else printActivity(terminal, activity);
    });
  program
    .command('versions')
    .summary('list the versions of an activity, newest first')
    .argument('<activity>', 'number, name, or Schema/Name')
    .option('--json', 'print them as JSON')
    .action(async (which: string, { json }: { json?: boolean }) => {
      const client = context.client();
      const { Id } = await findActivity(client, which);
      const { Versions } = await client.call(activityVersions, { params: { id: Id } });
      if (json) return printJson(terminal, Versions);
      const rows = Versions.map(({ Version, Modified, UserFullName, ChangeDescription, Fidelity }) => [
        String(Version),
        Modified,
        UserFullName,
        Fidelity ? `${Fidelity.Formulas - Fidelity.Different} of ${Fidelity.Formulas}` : '',
        ChangeDescription,
      ]);
      printTable(terminal, ['Version', 'Created', 'By', 'Equal formulas', 'Change'], rows);
    });
  addUploadCommand(program, context);
}

function addUploadCommand(program: Command, context: CommandContext): void {
  program
    .command('upload')
    .summary('publish a workbook as a new version of an activity, or as a new activity')
    .description(
      'Publishes a workbook and prints how the recalculated values compare with those saved in it. The exit code is 1 if the workbook has\n' +
        'problems. With --strict, for checks before a release, it is also 1 if a result differs or depends on a formula that could not be compared.',
    )
    .argument('<file>', 'the workbook')
    .option('--activity <activity>', 'activity that gets the new version: number, name, or Schema/Name')
    .option('--name <name>', 'name of a new activity; by default the name of the file')
    .option('--schema <schema>', 'schema of a new activity')
    .option('--change <text>', 'description of the change', '')
    .option('--accept <functions...>', 'unsupported functions whose saved values may be used', [])
    .option(
      '--region <tag>',
      'region of the workbook, overrides the one in its file: en-US, en-GB, de-DE, …',
      readRegion,
    )
    .option('--strict', 'fail if a result differs or may differ')
    .option('--json', 'print number, version and report as JSON')
    .action((file: string, options: UploadOptions) => upload(context, file, options));
}

function printActivity(terminal: Terminal, activity: Activity): void {
  terminal.print(
    `${activity.Id}  ${printable(activity.Name)} (${printable(activity.Schema)}), version ${activity.Version}`,
  );
  if (activity.Description) terminal.print(printable(activity.Description));
  terminal.print('\nInputs');
  printTable(
    terminal,
    ['Name', 'Kind', 'Shape', 'Required', 'Description'],
    activity.Inputs.map((input) => [
      input.Name,
      kindOf(input),
      shapeOf(input),
      isFixed(input) ? 'fixed' : (input.Info.Specifications[0] ?? ''),
      input.Description,
    ]),
  );
  terminal.print('\nOutputs');
  const outputs = activity.Outputs.map(({ Name, Info, Description }) => [
    Name,
    [...new Set(Info.CellUsages)].join(', '),
    Description,
  ]);
  printTable(terminal, ['Name', 'Kind', 'Description'], outputs);
}

const kindOf = ({ Info }: Input): string => [...new Set(Info.CellUsages)].join(', ');

function shapeOf({ Info }: Input): string {
  const shape = valueShape(Info);
  if (shape === 'cell') return 'one value';
  const rows = Info.RowsVariable ? 'rows' : counted(Info.Height, 'row');
  return shape === 'list'
    ? 'list'
    : `${rows} of ${Info.ColumnHeaderValues.join(', ') || counted(Info.Width, 'column')}`;
}

async function upload(context: CommandContext, file: string, options: UploadOptions): Promise<void> {
  const { terminal } = context;
  const client = context.client();
  const content = await openFile(file);
  if (options.activity !== undefined && (options.name !== undefined || options.schema !== undefined))
    throw new CliError('--activity names an existing activity; --name and --schema are for a new one');
  const activity = options.activity === undefined ? null : await findActivity(client, options.activity);
  const fileName = basename(file);
  const form = new FormData();
  form.set('Id', String(activity?.Id ?? 0));
  if (activity) {
    form.set('Revision', String(activity.Revision));
  } else {
    form.set('Name', options.name ?? fileName.replace(/\.[^.]*$/, ''));
    form.set('Schema', options.schema ?? '');
  }
  form.set('ChangeDescription', options.change);
  form.set('AcceptUnsupported', JSON.stringify(options.accept));
  if (options.region) form.set('Region', options.region.Id);
  form.set('file', content, fileName);
  try {
    const { Id, Version } = await client.upload(createActivity, form);
    const report = await client.call(versionFidelity, { params: { id: Id, version: Version } });
    if (options.json) printJson(terminal, { Id, Version, Fidelity: report });
    else {
      terminal.print(`${printable(activity?.Name ?? options.name ?? fileName)} is activity ${Id}, version ${Version}`);
      printReport(terminal, report);
    }
    if (options.strict && mayDiffer(report)) context.end(ExitCode.RunFailed);
  } catch (error) {
    if (!printProblems(terminal, error)) throw error;
    throw new CliError((error as CallFailure).message, ExitCode.RunFailed);
  }
}

const mayDiffer = ({ DifferentFeedingOutputs, NotComparedFeedingOutputs = 0 }: FidelityReport): boolean =>
  DifferentFeedingOutputs + NotComparedFeedingOutputs > 0;

function printReport(terminal: Terminal, report: FidelityReport): void {
  const { Formulas, Equal, Different, NotCompared = 0, Engine } = report;
  terminal.print(
    `${Equal} of ${counted(Formulas, 'formula')} ${Equal === 1 ? 'has' : 'have'} the value that was saved (${Engine})`,
  );
  if (Different > 0)
    terminal.print(
      `${Different} ${Different === 1 ? 'differs' : 'differ'}, ${report.DifferentFeedingOutputs} of them with an effect on an output:`,
    );
  for (const one of report.Differences.slice(0, 20)) {
    terminal.print(
      printable(`  ${one.Sheet}!${one.Cell} =${one.Formula}: saved ${one.Saved}, got ${one.Got}. ${one.Reason}`),
    );
  }
  if (NotCompared > 0) {
    terminal.print(
      `${NotCompared} could not be compared, ${report.NotComparedFeedingOutputs ?? 0} of them with an effect on an output`,
    );
  }
  for (const finding of report.Findings ?? []) terminal.print(problemLine(finding));
}

const problemLine = ({ Sheet, Cell, Message, Remedy }: WorkbookProblem): string =>
  printable(`  ${Sheet === '' ? '' : `${Sheet}!${Cell}: `}${Message} ${Remedy}`.trimEnd());

/** Prints the problems of a refused workbook; returns true if the error is such a refusal. */
function printProblems(terminal: Terminal, error: unknown): boolean {
  if (!(error instanceof CallFailure) || !Value.Check(UploadFailure, error.answer)) return false;
  const { Faults = [], Unsupported = [] } = error.answer;
  for (const problem of Faults) terminal.printMessage(problemLine(problem));
  if (Unsupported.length > 0) terminal.printMessage(`To accept them: --accept ${Unsupported.join(' ')}`);
  return Faults.length > 0;
}
