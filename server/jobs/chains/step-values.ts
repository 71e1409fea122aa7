/** What earlier steps give to the inputs of later ones. */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { nameKey, type ActivityVersion, type VersionCatalog } from '#server/versions/version-catalog.ts';
import type { NewRunInput } from '#server/jobs/queue/enqueue-run.ts';
import type { OutputValue } from '#shared/codecs/linked-values.ts';
import { matchedColumns } from '#shared/rules/chains/matched-columns.ts';
import type { ActivityStep, ChainPlan, ForEachStep, ValueSource } from '#shared/rules/chains/types.ts';

export interface SourceContext {
  knex: Knex;
  versions: VersionCatalog;
  plan: ChainPlan;
  chainId: number;
}

/** An output and what it says of itself; null where its step gave none. */
export interface SourceValue {
  output: ActivityVersion['outputs'][number];
  value: OutputValue;
}

const NOTHING: OutputValue = { json: null, files: [] };

interface OutputRow {
  Value: string | null;
  FileId: string | null;
  FileName: string | null;
}

/** A value and what is known of its shape. */
export interface ShapedValue {
  info: Pick<ActivityVersion['outputs'][number]['Info'], 'RangeType' | 'CellUsages' | 'ColumnHeaderValues'>;
  value: OutputValue;
}

/** Of an output of an earlier step, or of an input of the chain. Null where there is no such value. */
export async function readSource(
  { database, ...context }: Omit<SourceContext, 'knex' | 'chainId'> & { database: Database; chain: { Id: number } },
  from: ValueSource,
): Promise<ShapedValue | null> {
  const { knex } = database;
  const source = { ...context, knex, chainId: context.chain.Id };
  if (from.Kind === 'Input') return readChainInput(source, from.Name);
  const found = from.Kind === 'Output' ? await readOutput(source, from) : null;
  return found && { info: found.output.Info, value: found.value };
}

/** Of a single value that was entered, whose kind is that of its JSON. */
async function readChainInput({ knex, chainId }: SourceContext, name: string): Promise<ShapedValue | null> {
  const row = (await knex('ChecklistRuns').where('Id', chainId).first('Inputs')) as { Inputs: string };
  const inputs = JSON.parse(row.Inputs) as { ChecklistInputName: string; Value?: string | null }[];
  const found = inputs.find(({ ChecklistInputName }) => nameKey(ChecklistInputName) === nameKey(name));
  if (!found) return null;
  const json = found.Value ?? null;
  const value: unknown = json === null ? null : JSON.parse(json);
  const usage = typeof value === 'number' ? 'Number' : typeof value === 'boolean' ? 'Boolean' : 'Text';
  const RangeType = Array.isArray(value) ? 'MatrixWithoutHeaders' : 'SingleCell';
  return { info: { RangeType, CellUsages: [usage], ColumnHeaderValues: [] }, value: { json, files: [] } };
}

/** Of an output of a step that ran in this chain, or that it keeps of another. Null where the step has no such output. */
export async function readOutput(
  { knex, versions, plan, chainId }: SourceContext,
  { Step, Name }: Extract<ValueSource, { Kind: 'Output' }>,
): Promise<SourceValue | null> {
  const source = plan.Graph.Steps.find(({ Key }) => Key === Step);
  if (source?.Kind !== 'Activity') return null;
  const run = await findStepRun(knex, chainId, Step);
  const Version = run?.ActivityVersion ?? plan.Versions[source.ActivityId];
  const version = Version === undefined ? undefined : await versions.get(source.ActivityId, Version);
  const output = version?.outputs.find((one) => nameKey(one.Name) === nameKey(Name));
  if (!output) return null;
  if (!run) return { output, value: NOTHING };
  const rows = (await knex('RunOutputs')
    .where({ ActivityRunId: run.Id, ActivityParameterId: output.Id })
    .orderBy('ArrayIndex')
    .select('Value', 'FileId', 'FileName')) as OutputRow[];
  const files = rows.flatMap(({ FileId, FileName }) => (FileId === null ? [] : [{ FileId, FileName: FileName ?? '' }]));
  return { output, value: { json: rows.find(({ FileId }) => FileId === null)?.Value ?? null, files } };
}

/** The run that stands for a step; of one that is kept, that of the chain it was carried out in. */
export async function findStepRun(
  knex: Knex,
  ChecklistRunId: number,
  StepKey: string,
): Promise<{ Id: number; ActivityVersion: number } | undefined> {
  const own = (await knex('ActivityRuns')
    .where({ ChecklistRunId, StepKey })
    .orderBy('Attempt', 'desc')
    .first('Id', 'ActivityVersion')) as { Id: number; ActivityVersion: number } | undefined;
  if (own) return own;
  return knex('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where({ 'K.ChecklistRunId': ChecklistRunId, 'K.StepKey': StepKey })
    .first('R.Id', 'R.ActivityVersion') as Promise<{ Id: number; ActivityVersion: number } | undefined>;
}

export interface GivenValues {
  /** By the ActivityParameterId of the input. */
  given: Map<number, OutputValue>;
  /** What cannot be handed on any more; null where all can. */
  issue: string | null;
}

/** What a step takes of outputs of earlier ones. Tables are handed on by the names of their columns, others as they are. */
export async function readGiven(context: SourceContext, step: ActivityStep | ForEachStep): Promise<GivenValues> {
  const given = new Map<number, OutputValue>();
  const mappings = step.Inputs.filter(({ From }) => From.Kind === 'Output');
  if (mappings.length === 0) return { given, issue: null };
  const { versions, plan } = context;
  const version = await versions.get(step.ActivityId, plan.Versions[step.ActivityId]!);
  for (const { Input, From } of mappings) {
    if (From.Kind !== 'Output') continue;
    const input = version?.inputs.find(({ Name }) => nameKey(Name) === nameKey(Input));
    if (!input) return { given, issue: `Step "${step.Name}" has no input "${Input}" any more` };
    const source = await readOutput(context, From);
    if (!source) return { given, issue: `The step that fills "${Input}" has no output "${From.Name}" any more` };
    const { json, files } = source.value;
    given.set(input.Id, { json: json === null ? null : matchedColumns(source.output.Info, input.Info, json), files });
  }
  return { given, issue: null };
}

export async function readStoredInputs(knex: Knex, runId: number): Promise<NewRunInput[]> {
  return knex('RunInputs')
    .where('ActivityRunId', runId)
    .select(
      'ActivityParameterId',
      'ArrayIndex',
      'Value',
      'Rows',
      'UseDefault',
      'HasPresetValue',
      'FileId',
      'FileName',
      'ContentLength',
    );
}
