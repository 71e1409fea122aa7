/** Commands for workflows as files: workflows export, validate, plan, apply, schema. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { counted } from '#shared/codecs/counted.ts';
import { MANIFEST_KINDS, MANIFEST_SCHEMAS, type ManifestKind } from '#shared/manifests/check-manifest.ts';
import { writeManifest } from '#shared/manifests/write-manifest.ts';
import { CliError, ExitCode } from './cli-error.ts';
import { fileNames, readWithSettings, readWorkflow } from './manifests/export-manifests.ts';
import { nameOf, readManifestFiles, type ManifestFile } from './manifests/manifest-files.ts';
import type { ManifestPlan } from './manifests/manifest-plan.ts';
import { createApplier, planFiles, type PlannedFile } from './manifests/manifest-plans.ts';
import type { CommandContext } from './run-commands.ts';
import { printable, printJson, type Terminal } from './terminal.ts';

const FILES = 'YAML files, folders with such files, or - for standard input';

export function addManifestCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  const workflows = program
    .command('workflows')
    .description('Keeps workflows as YAML files, compares the files with a portal, and applies them.')
    .summary('workflows as files: export, validate, plan, apply');
  addExport(workflows, context);
  workflows
    .command('validate')
    .summary('check files without a portal')
    .argument('<files...>', FILES)
    .action(async (paths: string[]) => {
      const files = await readManifestFiles(paths);
      terminal.print(`${counted(files.length, 'file')} ${files.length === 1 ? 'is' : 'are'} valid`);
    });
  addPlan(workflows, context);
  addApply(workflows, context);
  workflows
    .command('schema')
    .summary('print the JSON schema of a kind, for completion in editors')
    .argument('[kind]', MANIFEST_KINDS.join(', '), 'Workflow')
    .action((kind: string) => {
      const known = MANIFEST_KINDS.find((one) => one.toLowerCase() === kind.toLowerCase());
      if (!known) throw new CliError(`There is no kind "${kind}"; the kinds are ${MANIFEST_KINDS.join(', ')}`);
      printJson(terminal, jsonSchema(known));
    });
}

interface ExportOptions {
  output?: string;
  folder?: string;
  activity?: boolean;
}

function addExport(workflows: Command, context: CommandContext): void {
  const { terminal } = context;
  workflows
    .command('export')
    .summary('write a workflow as YAML files')
    .description(
      'Without --folder, writes the newest version of the workflow alone. With --folder, writes it with its schedules, triggers and alerts,\n' +
        'each as a file of its own. With --activity too, it does the same for the settings of an activity.',
    )
    .argument('<name>', 'number, name, or Schema/Name')
    .option('--output <file>', 'output file, which must not exist; without it, standard output')
    .option('--folder <folder>', 'folder for one file each; existing files of the same names are replaced')
    .option('--activity', 'the name is that of an activity')
    .action(async (which: string, { output, folder, activity = false }: ExportOptions) => {
      if (folder === undefined) {
        if (activity)
          throw new CliError('The settings of an activity are several files: name their folder with --folder');
        const text = writeManifest(await readWorkflow(context.client(), which));
        return output === undefined ? terminal.print(text.trimEnd()) : writeNew(output, text);
      }
      if (output !== undefined) throw new CliError('Use either --output or --folder');
      const manifests = await readWithSettings(context.client(), activity ? 'Activity' : 'Checklist', which);
      await mkdir(folder, { recursive: true });
      for (const [index, fileName] of fileNames(manifests).entries()) {
        await writeFile(join(folder, fileName), writeManifest(manifests[index]!));
        terminal.print(fileName);
      }
    });
}

function addPlan(workflows: Command, context: CommandContext): void {
  const { terminal, end } = context;
  workflows
    .command('plan')
    .summary('print what apply would change')
    .description('Compares files with the portal, and changes nothing.')
    .argument('<files...>', FILES)
    .option('--json', 'print it as JSON')
    .option('--check', 'end with 1 if anything differs')
    .action(async (paths: string[], { json, check }: { json?: boolean; check?: boolean }) => {
      const read = await readManifestFiles(paths);
      const files = await planFiles(context.client(), read);
      if (json) printJson(terminal, files.map(jsonOf));
      else for (const file of files) printPlan(terminal, file);
      if (!json) terminal.print(summary(files, { Create: 'to create', Change: 'to change' }));
      if (check && files.some(({ plan }) => plan.Action !== 'None')) end(ExitCode.RunFailed);
    });
}

function addApply(workflows: Command, context: CommandContext): void {
  const { terminal } = context;
  workflows
    .command('apply')
    .summary('make the portal match files')
    .description(
      'Creates what does not exist, and changes what differs. Each file is applied whole or not at all. All files are checked first: if one\n' +
        'is wrong, nothing is changed. Nothing is deleted. You can repeat it: what matches stays unchanged.',
    )
    .argument('<files...>', FILES)
    .option('--change <text>', 'description of the change, such as a commit', 'Applied from a file')
    .option('--json', 'print it as JSON')
    .action(async (paths: string[], { change, json }: { change: string; json?: boolean }) => {
      const files = await readManifestFiles(paths);
      const client = context.client();
      const planned = await planFiles(client, files);
      const done: PlannedFile[] = [];
      const applyFile = createApplier(client, change);
      try {
        for (const file of planned) {
          const plan = file.plan.Action === 'None' ? file.plan : await applyFile(file);
          done.push({ ...file, plan });
          if (!json) printPlan(terminal, done.at(-1)!);
        }
      } finally {
        if (json) printJson(terminal, done.map(jsonOf));
        else terminal.print(summary(done, { Create: 'created', Change: 'changed' }));
      }
    });
}

const SIGNS: Record<ManifestPlan['Action'], string> = { Create: '+', Change: '~', None: '=' };
const MAX_SHOWN_VALUE = 200;

function printPlan(terminal: Terminal, { manifest, plan: { Action, Changes } }: PlannedFile): void {
  const what = Action === 'Create' ? 'new' : Action === 'None' ? 'no difference' : counted(Changes.length, 'change');
  terminal.print(printable(`${SIGNS[Action]} ${manifest.kind} ${nameOf(manifest)}: ${what}`));
  const shown = (value: string): string =>
    value.length > MAX_SHOWN_VALUE ? `${value.slice(0, MAX_SHOWN_VALUE)}…` : value;
  for (const { Path, Before, After } of Changes) {
    const change =
      Before === null
        ? `+ ${Path}: ${shown(After ?? '')}`
        : After === null
          ? `- ${Path}: ${shown(Before)}`
          : `~ ${Path}: ${shown(Before)} → ${shown(After)}`;
    terminal.print(printable(`    ${change}`));
  }
}

function summary(files: readonly PlannedFile[], words: { Create: string; Change: string }): string {
  const count = (action: ManifestPlan['Action']): number => files.filter(({ plan }) => plan.Action === action).length;
  return `${count('Create')} ${words.Create}, ${count('Change')} ${words.Change}, ${count('None')} unchanged`;
}

const jsonOf = ({ path, manifest, plan }: PlannedFile) => ({
  File: path,
  Kind: manifest.kind,
  Name: nameOf(manifest satisfies ManifestFile['manifest']),
  ...plan,
});

const jsonSchema = (kind: ManifestKind) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: `Runsheet ${kind}`,
  ...MANIFEST_SCHEMAS[kind],
});

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CliError(`${path} already exists`);
    throw new CliError(`${path} cannot be written: ${(error as Error).message}`);
  }
}
