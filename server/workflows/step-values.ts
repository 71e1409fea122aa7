/** Values that earlier steps provide for the inputs of later ones. */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { nameKey, type VersionCatalog, type VersionOutput } from '#server/versions/version-catalog.ts';
import { COPIED, type NewRunInput } from '#server/queue/enqueue-run.ts';
import { valueShape } from '#shared/codecs/input-form.ts';
import type { OutputValue } from '#shared/codecs/linked-values.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { declaredInfo } from '#shared/rules/workflows/declared-input.ts';
import { enteredInfo, rowTakersOf, type CatalogueActivity } from '#shared/rules/workflows/graph-sources.ts';
import { joinedTable } from '#shared/rules/workflows/joined-rows.ts';
import { columnsByName, matchedColumns } from '#shared/rules/workflows/matched-columns.ts';
import type { ActivityStep, WorkflowPlan, ForEachStep, ValueSource } from '#shared/rules/workflows/types.ts';
import { hasRun, joinedJson, joinedLines } from './joined-rows.ts';

export interface SourceContext {
  knex: Knex;
  versions: VersionCatalog;
  plan: WorkflowPlan;
  workflowRunId: number;
}

const NOTHING: OutputValue = { json: null, files: [] };

/** A value with what is known of its shape. */
export interface ShapedValue {
  info: Pick<InputInfo | OutputInfo, 'RangeType' | 'CellUsages' | 'ColumnHeaderValues'>;
  value: OutputValue;
  /** Why the value cannot be passed on; absent if it can. */
  issue?: string;
}

/** The value of an output. */
export interface OutputSource extends ShapedValue {
  info: OutputInfo;
}

/** Reads an output of an earlier step or an input of the workflow. Returns null if there is no such value. */
export async function readSource(
  {
    database,
    ...context
  }: Omit<SourceContext, 'knex' | 'workflowRunId'> & { database: Database; workflowRun: { Id: number } },
  from: ValueSource,
): Promise<ShapedValue | null> {
  const { knex } = database;
  const source = { ...context, knex, workflowRunId: context.workflowRun.Id };
  if (from.Kind === 'Input') return readWorkflowInput(source, from.Name);
  return from.Kind === 'Output' ? readOutput(source, from) : null;
}

/**
 * Reads an entered value. The columns of a table of rows and declared types are known; the type of any other value is
 * inferred from its JSON.
 */
async function readWorkflowInput(
  { knex, versions, plan, workflowRunId }: SourceContext,
  name: string,
): Promise<ShapedValue | null> {
  const row = await knex('ChecklistRuns').where('Id', workflowRunId).first<{ Inputs: string }>('Inputs');
  const inputs = JSON.parse(row.Inputs) as { ChecklistInputName: string; Value?: string | null }[];
  const found = inputs.find(({ ChecklistInputName }) => nameKey(ChecklistInputName) === nameKey(name));
  if (!found) return null;
  const json = found.Value ?? null;
  const table = (await enteredTable(versions, plan, name)) ?? declaredInfo(plan.Graph, name);
  if (table) return { info: table, value: { json, files: [] } };
  const value: unknown = json === null ? null : JSON.parse(json);
  const usage = typeof value === 'number' ? 'Number' : typeof value === 'boolean' ? 'Boolean' : 'Text';
  const RangeType = Array.isArray(value) ? 'MatrixWithoutHeaders' : 'SingleCell';
  return { info: { RangeType, CellUsages: [usage], ColumnHeaderValues: [] }, value: { json, files: [] } };
}

interface EnteredRow {
  ChecklistInputName: string;
  Value?: string | null;
  UseDefault?: boolean;
  FileId?: string | null;
  FileName?: string | null;
}

/**
 * Reads an entered value with the type of the first input that takes it. If nothing was entered, the value is that of
 * this input's workbook, or blank.
 */
export async function readEnteredValue(
  { knex, versions, plan, workflowRunId }: SourceContext,
  name: string,
): Promise<ShapedValue | null> {
  const info = await enteredInfoOf(versions, plan, name);
  if (!info) return null;
  const row = await knex('ChecklistRuns').where('Id', workflowRunId).first<{ Inputs: string }>('Inputs');
  const rows = (JSON.parse(row.Inputs) as EnteredRow[]).filter(
    ({ ChecklistInputName }) => nameKey(ChecklistInputName) === nameKey(name),
  );
  const files = rows.flatMap(({ FileId, FileName }) => (FileId ? [{ FileId, FileName: FileName ?? '' }] : []));
  const single = rows.find(({ FileId }) => !FileId);
  const blank = valueShape(info) === 'cell' ? 'null' : '[]';
  const json = single && ((single.UseDefault ? info.DefaultValue : single.Value) ?? blank);
  return { info, value: { json: json ?? null, files } };
}

/** Returns the type of a workflow input in the versions of a run; null if it is unknown. */
export async function enteredInfoOf(
  versions: VersionCatalog,
  plan: WorkflowPlan,
  name: string,
): Promise<InputInfo | null> {
  for (const step of plan.Graph.Steps) {
    if (!('ActivityId' in step)) continue;
    const taken = step.Inputs.find(({ From }) => From.Kind === 'Input' && nameKey(From.Name) === nameKey(name));
    const version = taken && (await versions.get(step.ActivityId, plan.Versions[step.ActivityId]!));
    const input = version?.inputs.find((one) => nameKey(one.Name) === nameKey(taken!.Input));
    if (input) return input.Info;
  }
  return (await enteredTable(versions, plan, name)) ?? declaredInfo(plan.Graph, name);
}

/** Describes the workflow input if For each steps take their rows from it; null otherwise. */
async function enteredTable(versions: VersionCatalog, plan: WorkflowPlan, name: string): Promise<InputInfo | null> {
  if (rowTakersOf(plan.Graph, name).length === 0) return null;
  const catalogue = new Map<number, CatalogueActivity>();
  for (const [id, version] of Object.entries(plan.Versions)) {
    const known = await versions.get(Number(id), version);
    const Inputs = known?.inputs.map((input) => ({ ...input, PresetValue: null })) ?? [];
    catalogue.set(Number(id), { Name: '', IsActive: true, Inputs, Outputs: [] });
  }
  return enteredInfo(plan.Graph, name, catalogue);
}

/**
 * Reads an output of a step that ran in this workflow run or is reused from an earlier one. For a For each step, reads
 * one of its joined tables. Returns null if the step has no such output.
 * @param input the input that takes the value: only its columns are read of a joined table
 */
export async function readOutput(
  context: SourceContext,
  { Step, Name }: Extract<ValueSource, { Kind: 'Output' }>,
  input?: ShapedValue['info'],
): Promise<OutputSource | null> {
  const { knex, versions, plan, workflowRunId } = context;
  const source = plan.Graph.Steps.find(({ Key }) => Key === Step);
  if (source?.Kind !== 'Activity' && source?.Kind !== 'ForEach') return null;
  const run = await findStepRun(knex, workflowRunId, Step);
  const Version = run?.ActivityVersion ?? plan.Versions[source.ActivityId];
  const version = Version === undefined ? undefined : await versions.get(source.ActivityId, Version);
  if (source.Kind === 'ForEach') return readJoined(context, { Step, Name }, version?.outputs ?? [], input);
  const output = version?.outputs.find((one) => nameKey(one.Name) === nameKey(Name));
  if (!output) return null;
  const { Info: info } = output;
  if (!run) return { info, value: NOTHING };
  const rows = await knex('RunOutputs')
    .where({ ActivityRunId: run.Id, ActivityParameterId: output.Id })
    .orderBy('ArrayIndex')
    .select('Value', 'FileId', 'FileName');
  const files = rows.flatMap(({ FileId, FileName }) => (FileId === null ? [] : [{ FileId, FileName: FileName ?? '' }]));
  return { info, value: { json: rows.find(({ FileId }) => FileId === null)?.Value ?? null, files } };
}

async function readJoined(
  { knex, workflowRunId }: SourceContext,
  { Step, Name }: { Step: string; Name: string },
  outputs: readonly VersionOutput[],
  input?: ShapedValue['info'],
): Promise<OutputSource | null> {
  const table = joinedTable(outputs, Name);
  if (!table) return null;
  if (!(await hasRun(knex, workflowRunId, Step))) return { info: table.Info, value: NOTHING };
  const columns = input ? columnsByName(table.Info, input) : null;
  const json = await joinedJson(joinedLines(knex, { workflowRunId, stepKey: Step }, table, columns));
  if (json === null)
    return { info: table.Info, value: NOTHING, issue: `The combined result "${Name}" of the rows is too large` };
  const { CellUsages, ColumnHeaderValues } = columns && input ? input : table.Info;
  const info = { ...table.Info, CellUsages, ColumnHeaderValues };
  return { info, value: { json, files: [] } };
}

/** Finds the latest run of a step. For a reused step, this is its run in the earlier workflow run. */
async function findStepRun(
  knex: Knex,
  ChecklistRunId: number,
  StepKey: string,
): Promise<{ Id: number; ActivityVersion: number } | undefined> {
  const own = await knex('ActivityRuns')
    .where({ ChecklistRunId, StepKey })
    .orderBy('Attempt', 'desc')
    .first('Id', 'ActivityVersion');
  if (own) return own;
  return knex('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where({ 'K.ChecklistRunId': ChecklistRunId, 'K.StepKey': StepKey })
    .first<{ Id: number; ActivityVersion: number } | undefined>('R.Id', 'R.ActivityVersion');
}

export interface UpstreamValues {
  /** By ActivityParameterId of the input. */
  upstreamValues: Map<number, OutputValue>;
  /** Why a value can no longer be passed on; null if all can. */
  issue: string | null;
}

/**
 * Reads the outputs of earlier steps that a step takes. Table columns are matched by name; other values are passed on
 * unchanged.
 */
export async function readUpstreamValues(
  context: SourceContext,
  step: ActivityStep | ForEachStep,
): Promise<UpstreamValues> {
  const upstreamValues = new Map<number, OutputValue>();
  const mappings = step.Inputs.filter(({ From }) => From.Kind === 'Output');
  if (mappings.length === 0) return { upstreamValues, issue: null };
  const { versions, plan } = context;
  const version = await versions.get(step.ActivityId, plan.Versions[step.ActivityId]!);
  for (const { Input, From } of mappings) {
    if (From.Kind !== 'Output') continue;
    const input = version?.inputs.find(({ Name }) => nameKey(Name) === nameKey(Input));
    if (!input) return { upstreamValues, issue: `Step "${step.Name}" no longer has an input "${Input}"` };
    const source = await readOutput(context, From, input.Info);
    if (!source)
      return { upstreamValues, issue: `The step that fills "${Input}" no longer has an output "${From.Name}"` };
    if (source.issue !== undefined) return { upstreamValues, issue: source.issue };
    const { json, files } = source.value;
    upstreamValues.set(input.Id, { json: json === null ? null : matchedColumns(source.info, input.Info, json), files });
  }
  return { upstreamValues, issue: null };
}

/** Reads the stored inputs of several runs, by run id. */
export async function readStoredInputsOf(
  knex: Knex,
  runIds: readonly number[],
): Promise<ReadonlyMap<number, NewRunInput[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await knex('RunInputs')
    .whereIn('ActivityRunId', runIds)
    .select<(NewRunInput & { ActivityRunId: number })[]>('ActivityRunId', ...COPIED);
  return Map.groupBy(rows, ({ ActivityRunId }) => ActivityRunId);
}

export async function readStoredInputs(knex: Knex, runId: number): Promise<NewRunInput[]> {
  return knex('RunInputs')
    .where('ActivityRunId', runId)
    .select(...COPIED);
}
