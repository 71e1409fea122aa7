/** The command `evaluate`: the outputs of an activity for the rows of a CSV file. */
import { constants } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { evaluate, type EvaluatedColumns } from '#shared/client/evaluate.ts';
import { findActivity } from '#shared/client/runs.ts';
import type { ResultValue } from '#shared/client/inputs.ts';
import { counted } from '#shared/codecs/counted.ts';
import type { TextRegion } from '#shared/codecs/text-region.ts';
import type { Activity } from '#shared/contract/activities.ts';
import { CliError, ExitCode } from './cli-error.ts';
import { readTable, type CsvTable } from './csv-file.ts';
import { readRegion, REGION_HELP } from './region-option.ts';
import type { CommandContext } from './run-commands.ts';
import { collectInputPaths } from './supplied-inputs.ts';

interface Options {
  rows: string;
  inputs?: string;
  outputs?: string;
  out: string;
  region?: TextRegion;
}

const DESCRIPTION = [
  'Calculates an activity for each row of a CSV file, and prints the rows with their outputs as CSV. Nothing is stored as a run.',
  'The headings of the file are names of inputs. A row that is refused has its reason in the column Error, and the exit code is 1.',
].join('\n');

export function addEvaluateCommand(program: Command, context: CommandContext): void {
  program
    .command('evaluate')
    .summary('calculate an activity for the rows of a CSV file')
    .description(DESCRIPTION)
    .argument('<activity>', 'number, name, or Schema/Name')
    .argument('[inputs...]', 'NAME=VALUE for all rows; NAME=@FILE for the rows of a table in a CSV')
    .requiredOption('--rows <file>', 'CSV file whose columns are inputs; - for standard input')
    .option('--inputs <file>', 'inputs for all rows as JSON, {"Name": value}')
    .option('--outputs <names>', 'outputs to return, separated by commas; by default all of one cell')
    .option('--out <file>', 'output file, which must not exist; - for standard output', '-')
    .option('--region <tag>', REGION_HELP, readRegion)
    .action((activity: string, pairs: string[], options: Options) => evaluateRows(context, activity, pairs, options));
}

async function evaluateRows(
  context: CommandContext,
  which: string,
  pairs: readonly string[],
  options: Options,
): Promise<void> {
  const { terminal } = context;
  if (options.out !== '-') await requireNew(options.out);
  const client = context.client();
  const activity = await findActivity(client, which);
  const outputs = wantedOutputs(activity, options.outputs);
  const { printMessage } = terminal;
  const { values, files } = await collectInputPaths(activity, pairs, { jsonFile: options.inputs, printMessage });
  const [file] = files.keys();
  if (file) throw new CliError(`${file.Name}: the input takes files, which only a run can have`);
  const table = await readTable(options.rows);
  const { headings, rows } = table;
  const given = rows.map((row) => Object.fromEntries(headings.map((name, col) => [name, row[col] || null])));
  const found = await evaluate(client, activity, given, { inputs: values, outputs, region: options.region ?? null });
  const text = csvOf(table, { outputs, found, region: options.region });
  if (options.out === '-') terminal.print(text.trimEnd());
  else await writeNew(options.out, table.style.hasMark ? `\uFEFF${text}` : text);
  const refused = new Set(found.Errors.map(({ Row }) => Row)).size;
  printMessage(`${counted(rows.length - refused, 'row')} calculated, ${refused} refused`);
  if (refused > 0) context.end(ExitCode.RunFailed);
}

/** Returns names of outputs with one cell. Throws CliError for others, because a CSV has no room for them. */
function wantedOutputs({ Outputs }: Activity, names: string | undefined): string[] {
  const single = Outputs.filter(({ Info }) => Info.RangeType === 'SingleCell' && Info.CellUsages[0] !== 'FilePath');
  if (names === undefined) return single.map(({ Name }) => Name);
  return names.split(',').map((written) => {
    const name = written.trim();
    const found = single.find(({ Name }) => Name.toLowerCase() === name.toLowerCase());
    if (!found) {
      const offered = single.map(({ Name }) => Name).join(', ') || 'none';
      throw new CliError(`There is no output "${name}" of one cell; there are ${offered}`);
    }
    return found.Name;
  });
}

interface Results {
  outputs: readonly string[];
  found: EvaluatedColumns;
  region: TextRegion | undefined;
}

/** Writes results like the rows: a spreadsheet program would take '12.5' for a day between numbers such as '0,5'. */
function csvOf({ headings, rows, style }: CsvTable, { outputs, found, region }: Results): string {
  const mark = region?.Decimal ?? '.';
  const errors = Map.groupBy(found.Errors, ({ Row }) => Row);
  const lines = rows.map((row, index) => [
    ...headings.map((_, col) => row[col] ?? ''),
    ...outputs.map((name) => cellText(found.Outputs[name]?.[index] ?? null, mark)),
    // Authors of workbooks write messages too.
    plainText(
      (errors.get(index) ?? [])
        .map(({ Input, Message }) => (Input === null ? Message : `${Input}: ${Message}`))
        .join('; '),
    ),
  ]);
  const delimiter = style.separator ?? (mark === ',' ? ';' : ',');
  return stringify([[...headings, ...outputs, 'Error'], ...lines], { delimiter });
}

/** Spreadsheet programs take such texts for formulas. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

const plainText = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

function cellText(value: ResultValue, decimalMark: string): string {
  if (value === null) return '';
  if (typeof value === 'string') return plainText(value);
  if (typeof value === 'number') return String(value).replace('.', decimalMark);
  if (typeof value !== 'object') return String(value);
  return 'error' in value ? value.error : JSON.stringify(value);
}

/** Throws CliError before anything is calculated, so that no results are lost for lack of a place. */
async function requireNew(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new CliError(`${path} already exists`);
  await access(dirname(path), constants.W_OK).catch((error: Error) => {
    throw new CliError(`${path} cannot be written: ${error.message}`);
  });
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(code === 'EEXIST' ? `${path} already exists` : `${path} cannot be written: ${message}`);
  }
}
