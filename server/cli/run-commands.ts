/** Commands for runs: run, status, logs, cancel, download. */
import type { Command } from 'commander';
import type { Client } from '#shared/client/client.ts';
import { readInputs, readOutputs } from '#shared/client/inputs.ts';
import { findActivity, startActivity, waitForRun, type EndedRun } from '#shared/client/runs.ts';
import { hasSucceeded, isPending, LogCategory, STATUS_TEXT, type LogEntry } from '#shared/contract/run-status.ts';
import {
  cancelRun,
  downloadOutputFile,
  downloadRunFiles,
  downloadRunPdf,
  runDetails,
  type ActivityRun,
} from '#shared/contract/runs.ts';
import type { TextRegion } from '#shared/codecs/text-region.ts';
import { counted } from '#shared/codecs/counted.ts';
import { CliError, ExitCode } from './cli-error.ts';
import { saveFile } from './download-files.ts';
import { collectInputs } from './supplied-inputs.ts';
import { readRegion, REGION_HELP } from './region-option.ts';
import { printable, printJson, printOutput, type Terminal } from './terminal.ts';

export interface CommandContext {
  terminal: Terminal;
  /** Opens the portal of the command line. */
  client(): Client;
  /** Sets the exit code of the process; 0 if never called. */
  end: (exitCode: ExitCode) => void;
}

interface RunOptions {
  inputs?: string;
  wait: boolean;
  timeout?: number;
  download?: string;
  json?: boolean;
  uniqueId?: string;
  region?: TextRegion;
}

interface DownloadOptions {
  to: string;
  output?: string;
  pdf?: boolean;
  replace?: boolean;
}

const RUN_DESCRIPTION = [
  'Runs an activity, waits until it ends, and prints its outputs. The exit code is 0 if it succeeded, otherwise 1.',
  'Values are written like 1500, 12 %, 31/Jan/2026, 2026-01-31 or yes. Values that depend on the region, such as 1.500 or 3/4/2026,',
  'need --region. Inputs that you omit use their preset or default values.',
].join('\n');

export function addRunCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command('run')
    .summary('run an activity and wait for its results')
    .description(RUN_DESCRIPTION)
    .argument('<activity>', 'number, name, or Schema/Name')
    .argument('[inputs...]', 'NAME=VALUE; NAME=@FILE for files, and for the rows of a table in a CSV')
    .option('--inputs <file>', 'inputs as JSON, {"Name": value}; - for standard input')
    .option('--region <tag>', REGION_HELP, readRegion)
    .option('--no-wait', 'print the number of the run without waiting for its end')
    .option('--timeout <seconds>', 'stop waiting after this time and exit with 4; the run continues', readSeconds)
    .option('--download <folder>', 'save the files of the run in this folder')
    .option('--unique-id <text>', 'start only one run for this text, even if the command is repeated')
    .option('--json', 'print the run as JSON')
    .action((activity: string, pairs: string[], options: RunOptions) => runActivity(context, activity, pairs, options));
  program
    .command('status')
    .summary('show a run')
    .argument('<run>', 'number of the run', readRunId)
    .option('--json', 'print it as JSON')
    .action(async (id: number, { json }: { json?: boolean }) => {
      const run = await context.client().call(runDetails, { params: { id } });
      if (json) printJson(terminal, detailsOf(run));
      else printRun(terminal, run);
    });
  program
    .command('logs')
    .summary('print the log of a run')
    .argument('<run>', 'number of the run', readRunId)
    .option('--follow', 'wait for more lines until the run ends; the exit code is that of "run"')
    .action(async (id: number, { follow }: { follow?: boolean }) => {
      const onLog = (entries: readonly LogEntry[]): void => entries.forEach((entry) => terminal.print(logLine(entry)));
      if (follow) return endAs(context, (await waitForRun(context.client(), id, { onLog })).Status);
      onLog((await context.client().call(runDetails, { params: { id } })).LogEntries);
    });
  program
    .command('cancel')
    .summary('cancel a queued or started run')
    .argument('<run>', 'number of the run', readRunId)
    .action(async (runId: number) => {
      terminal.printMessage((await context.client().call(cancelRun, { params: { runId } })).Message);
    });
  program
    .command('download')
    .summary('save the files of a run')
    .argument('<run>', 'number of the run', readRunId)
    .option('--to <folder>', 'target folder', '.')
    .option('--output <name>', 'save only the file of this output, instead of an archive of all files')
    .option('--pdf', 'save the run as a PDF file, in the language and region that you chose in the portal')
    .option('--replace', 'overwrite an existing file of the same name')
    .action(async (id: number, options: DownloadOptions) => {
      const client = context.client();
      const token = await tokenOf(client, id, options);
      terminal.print(await saveFile(client, token, options.to, options.replace === true));
    });
}

async function runActivity(
  context: CommandContext,
  which: string,
  pairs: string[],
  options: RunOptions,
): Promise<void> {
  const { terminal } = context;
  const client = context.client();
  const activity = await findActivity(client, which);
  const supplied = await collectInputs(client, activity, pairs, {
    jsonFile: options.inputs,
    printMessage: terminal.printMessage,
  });
  const inputs = readInputs(activity, supplied, options.region);
  const { Id } = await startActivity(client, activity, inputs, { uniqueId: options.uniqueId });
  if (!options.wait) {
    if (options.json) printJson(terminal, { Id });
    else terminal.print(String(Id));
    return;
  }
  terminal.printMessage(`Run ${Id} of ${printable(activity.Name)}`);
  const run = await waitWithTimeout(client, Id, options.timeout, (entries) => {
    for (const entry of entries) terminal.printMessage(logLine(entry));
  });
  if (run === null) {
    terminal.printMessage(`Run ${Id} has not ended after ${counted(options.timeout ?? 0, 'second')} and continues`);
    return context.end(ExitCode.StillRunning);
  }
  if (options.json) printJson(terminal, jsonOf(run));
  else run.Outputs.filter(({ Value }) => Value !== null).forEach((output) => printOutput(terminal, output));
  if (options.download !== undefined && hasSucceeded(run.Status)) {
    terminal.printMessage(`Saved ${await saveFile(client, await allFiles(client, Id), options.download, false)}`);
  }
  terminal.printMessage(STATUS_TEXT[run.Status]);
  endAs(context, run.Status);
}

/** Returns null if the time is up first. */
async function waitWithTimeout(
  client: Client,
  id: number,
  seconds: number | undefined,
  onLog: (entries: readonly LogEntry[]) => void,
): Promise<EndedRun | null> {
  const signal = seconds === undefined ? undefined : AbortSignal.timeout(Math.ceil(seconds * 1000));
  try {
    return await waitForRun(client, id, { onLog, signal });
  } catch (error) {
    if (signal?.aborted) return null;
    throw error;
  }
}

const endAs = (context: CommandContext, status: ActivityRun['Status']): void =>
  context.end(hasSucceeded(status) ? ExitCode.Succeeded : ExitCode.RunFailed);

const allFiles = async (client: Client, runId: number): Promise<string> =>
  client.call(downloadRunFiles, { params: { runId } });

async function tokenOf(client: Client, runId: number, { output, pdf }: DownloadOptions): Promise<string> {
  if (pdf && output !== undefined) throw new CliError('Use either --pdf or --output');
  if (pdf) return client.call(downloadRunPdf, { params: { runId }, query: { TimeZone: ownTimeZone() } });
  return output === undefined ? allFiles(client, runId) : outputFile(client, runId, output);
}

const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

async function outputFile(client: Client, id: number, name: string): Promise<string> {
  const { Outputs } = await client.call(runDetails, { params: { id } });
  const output = Outputs.find(({ Name }) => Name.toLowerCase() === name.toLowerCase());
  if (!output)
    throw new CliError(`The run has no output "${name}"; it has ${Outputs.map(({ Name }) => Name).join(', ')}`);
  return client.call(downloadOutputFile, { params: { runId: id, parameterId: output.Id } });
}

const jsonOf = ({ Id, Status, Outputs, LogEntries }: Pick<EndedRun, 'Id' | 'Status' | 'Outputs' | 'LogEntries'>) => ({
  Id,
  Status,
  Outputs: readOutputs(Outputs),
  Log: LogEntries.map(({ Time, Category, displayMessage }) => ({ Time, Category, Message: displayMessage })),
});

const detailsOf = (run: ActivityRun) => ({
  ActivityId: run.ActivityId,
  Name: run.Name,
  ActivityVersion: run.ActivityVersion,
  QueueTime: run.QueueTime,
  EndTime: run.EndTime,
  UserFullName: run.UserFullName,
  ...jsonOf(run),
  Files: run.StoredFileNames,
});

function printRun(terminal: Terminal, run: ActivityRun): void {
  terminal.print(
    `Run ${run.Id} of ${printable(run.Name)} (version ${run.ActivityVersion}), by ${printable(run.UserFullName)}`,
  );
  terminal.print(`${STATUS_TEXT[run.Status]}${run.EndTime === null ? '' : `, ${run.EndTime}`}`);
  if (isPending(run.Status)) return;
  run.Outputs.filter(({ Value }) => Value !== null).forEach((output) => printOutput(terminal, output));
  for (const name of run.StoredFileNames) terminal.print(`File: ${printable(name)}`);
  for (const entry of run.LogEntries) if (entry.Category > LogCategory.Information) terminal.print(logLine(entry));
}

function logLine({ Time, Category, displayMessage }: LogEntry): string {
  const kind = Category <= LogCategory.Information ? '' : Category === LogCategory.Warning ? 'Warning: ' : 'Error: ';
  return `${Time} ${kind}${printable(displayMessage)}`;
}

function readRunId(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text);
  throw new CliError(`"${text}" is not the number of a run`);
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 2_000_000) return seconds;
  throw new CliError(`"${text}" is not a number of seconds`);
}
