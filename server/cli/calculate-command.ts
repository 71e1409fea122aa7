/** The command `calculate`: calculates a workbook with named inputs, without a portal. */
import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readInputs, readOutputs } from '#shared/client/inputs.ts';
import { isFileInput } from '#shared/codecs/input-form.ts';
import type { Output } from '#shared/contract/parameters.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { WorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import type { TextRegion } from '#shared/codecs/text-region.ts';
import { CliError, ExitCode } from './cli-error.ts';
import { collectInputPaths } from './supplied-inputs.ts';
import type { CommandContext } from './run-commands.ts';
import { readRegion, REGION_HELP } from './region-option.ts';
import { printable, printJson, printOutput } from './terminal.ts';
import { openInput } from '#shared/rules/open-input.ts';

interface CalculateOptions {
  inputs?: string;
  accept: string[];
  timeout: string;
  json?: boolean;
  region?: TextRegion;
}

export function addCalculateCommand(program: Command, context: CommandContext): void {
  program
    .command('calculate')
    .summary('calculate a workbook with inputs, without a portal')
    .description(
      'Calculates a workbook on this computer, like an activity of a portal, and publishes or stores nothing. Steps that need a portal,\n' +
        'such as queries through its connections and mails, fail.',
    )
    .argument('<file>', 'the workbook')
    .argument('[inputs...]', 'NAME=VALUE, NAME=@FILE')
    .option('--inputs <file>', 'inputs as JSON, {"Name": value}; - for standard input')
    .option('--accept <functions...>', 'unsupported functions whose saved values may be used', [])
    .option('--timeout <seconds>', 'maximum duration of the calculation', '600')
    .option('--region <tag>', REGION_HELP, readRegion)
    .option('--json', 'print the outputs as JSON')
    .action(async (file: string, pairs: string[], options: CalculateOptions) => {
      const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
        throw new CliError(
          `${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
        );
      });
      // The other commands start twice as fast without the calculation engine.
      const { createWorkbookExecutor } = await import('#server/executors/workbook/workbook-executor.ts');
      const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
      try {
        await calculate(context, executor, { file, bytes }, pairs, options);
      } finally {
        await executor.close();
      }
    });
}

async function calculate(
  context: CommandContext,
  executor: WorkbookExecutor,
  { file, bytes }: { file: string; bytes: Uint8Array },
  pairs: string[],
  options: CalculateOptions,
): Promise<void> {
  const { terminal } = context;
  const fileName = basename(file);
  const signal = new AbortController().signal;
  const { definition, problems } = await executor.inspect(
    { fileName, bytes, acceptUnsupported: options.accept },
    signal,
  );
  if (!definition) {
    const lines = problems.map(
      ({ Sheet, Cell, Message, Remedy }) => `${Sheet ? `${Sheet}!${Cell}: ` : ''}${Message} ${Remedy}`,
    );
    throw new CliError(printable(`${fileName} cannot be calculated: ${lines.join('; ')}`));
  }
  const seconds = Number(options.timeout);
  if (!(seconds > 0 && seconds <= 86_400))
    throw new CliError(`"${options.timeout}" is not a number of seconds up to 86400`);
  const outcome = await executor.run({
    versionKey: fileName,
    definition,
    fileName,
    readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
    inputs: await readInputValues(definition, fileName, pairs, { ...options, printMessage: terminal.printMessage }),
    timeLimit: seconds * 1000,
    signal,
    onLog: ({ Message, Category }) =>
      terminal.printMessage(`${Category > LogCategory.Warning ? 'Error: ' : ''}${printable(Message)}`),
    onProgress: () => undefined,
  });
  const outputs = outcome.outputs.flatMap(({ Name, Value }): Output[] => {
    const found = definition.outputs.find((output) => output.Name === Name);
    return found ? [{ Id: 1, ActivityId: 1, Name, Description: found.Description, Info: found.Info, Value }] : [];
  });
  if (options.json) printJson(terminal, { Status: outcome.status, Outputs: readOutputs(outputs) });
  else outputs.filter(({ Value }) => Value !== null).forEach((output) => printOutput(terminal, output));
  if (outcome.status !== 'Succeeded' && outcome.status !== 'SucceededWarn') context.end(ExitCode.RunFailed);
}

/** Treats the inputs like those of an activity, numbered in their order. */
async function readInputValues(
  definition: ActivityDefinition,
  fileName: string,
  pairs: string[],
  {
    inputs,
    region,
    printMessage,
  }: Pick<CalculateOptions, 'inputs' | 'region'> & { printMessage: (text: string) => void },
) {
  const Inputs = definition.inputs.map(({ Name, Description, Info }, index) =>
    openInput({ Id: index + 1, Name, Description, Info }),
  );
  const activity = { Name: fileName, Inputs };
  const { values, files } = await collectInputPaths(activity, pairs, { jsonFile: inputs, printMessage });
  const wanted = new Map([...files].map(([input, paths]) => [input.Name, paths]));
  const sent = readInputs({ ...activity, Inputs: Inputs.filter(({ Info }) => !isFileInput(Info)) }, values, region);
  return Inputs.map(({ Id, Name }) => ({
    Name,
    value: sent.find(({ ActivityParameterId }) => ActivityParameterId === Id)?.Value ?? null,
    files: (wanted.get(Name) ?? []).map((path) => ({
      FileName: basename(path),
      read: async () => new Uint8Array(await readFile(path)),
    })),
  }));
}
