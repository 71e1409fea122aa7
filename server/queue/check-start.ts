/** Checks that a Start step can start its activity, before the run of the step has ended. */
import type { Knex } from 'knex';
import type { Holder } from '#server/base/person.ts';
import { StepRefused, type StepStart } from '#server/executors/step-services.ts';
import type { ActivityRunsRow } from '#server/db/tables.ts';
import { isFileInput, isFixed, valueShape } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { forEachRows } from '#shared/rules/workflows/for-each-rows.ts';
import { MAX_FOR_EACH_ROWS } from '#shared/rules/workflows/types.ts';
import type { NewRunStart, StartedRows } from './run-starts.ts';

/** An activity as it would be started now, with its inputs as the person sees them. */
export interface Startable {
  ActivityId: number;
  ActivityVersion: number;
  Name: string;
  inputs: readonly Input[];
}

/** Finds the activity, or returns a message for people why it cannot be started. */
export type FindStartable = (holder: Holder, name: string) => Promise<Startable | { refused: string }>;

/** Maximum nesting depth of runs that start other runs. */
const MAX_CHILD_RUN_LEVELS = 5;

export interface CheckStartDeps {
  knex: Knex;
  findStartable: FindStartable;
}

/** Throws StepRefused if the step cannot start its runs. @param earlier the Start steps of this run before it */
export async function checkStart(
  { knex, findStartable }: CheckStartDeps,
  run: { Id: number; holder: Holder },
  start: StepStart,
  earlier: readonly NewRunStart[],
): Promise<NewRunStart> {
  const refuse = (why: string, status: 'Failed' | 'LogicError' = 'LogicError'): never => {
    throw new StepRefused(status, `Step '${start.step}': ${why}`);
  };
  if (run.holder.isVisitor) return refuse('a run of a visitor starts no others', 'Failed');
  const found = await findStartable(run.holder, start.activity);
  if ('refused' in found) return refuse(found.refused, 'Failed');
  const line = await ancestors(knex, run.Id);
  if (line.some(({ ActivityId }) => ActivityId === found.ActivityId)) {
    return refuse(
      `'${found.Name}' is the activity of this run, or of a run that led to it: no activity can start itself, directly or through others`,
    );
  }
  if (line.length > MAX_CHILD_RUN_LEVELS)
    return refuse(`runs start others ${MAX_CHILD_RUN_LEVELS} levels deep at most`);
  const rows = rowsOf(found, start, refuse);
  const RootRunId = line.at(-1)!.Id;
  const others = earlier.reduce((sum, { RowCount }) => sum + RowCount, 0) + (await countStarted(knex, RootRunId));
  if (others + rows.Rows.length > MAX_FOR_EACH_ROWS) {
    const max = MAX_FOR_EACH_ROWS.toLocaleString('en-US');
    refuse(`run ${RootRunId} would then have started more than ${max} runs`, 'Failed');
  }
  return {
    StepKey: String(earlier.length + 1),
    StepName: start.step.slice(0, 255),
    ActivityId: found.ActivityId,
    ActivityVersion: found.ActivityVersion,
    UserId: run.holder.UserId,
    RootRunId,
    RowCount: rows.Rows.length,
    Rows: JSON.stringify(rows),
    AtOnce: start.concurrency,
    StopAfterFailures: start.stopAfterFailures,
  };
}

type Ancestor = Pick<ActivityRunsRow, 'Id' | 'ActivityId' | 'ParentRunId'>;

/** Returns the run, the run that started it, and so on upwards. */
async function ancestors(knex: Knex, runId: number): Promise<Ancestor[]> {
  const line: Ancestor[] = [];
  for (let id: number | null = runId; id !== null && line.length <= MAX_CHILD_RUN_LEVELS;) {
    const row: Ancestor | undefined = await knex('ActivityRuns')
      .where('Id', id)
      .first('Id', 'ActivityId', 'ParentRunId');
    // The parent was purged.
    if (!row) break;
    line.push(row);
    id = row.ParentRunId;
  }
  return line;
}

async function countStarted(knex: Knex, RootRunId: number): Promise<number> {
  const [row] = await knex('RunStarts').where({ RootRunId }).sum({ Total: 'RowCount' });
  return row?.Total ?? 0;
}

type Refuse = (why: string, status?: 'Failed' | 'LogicError') => never;

function rowsOf({ Name, inputs }: Startable, start: StepStart, refuse: Refuse): StartedRows {
  const isKey = (column: string): boolean => column.toLowerCase() === start.keyColumn?.toLowerCase();
  const filled: { column: string; input: Input }[] = [];
  for (const column of start.columns) {
    const input = inputs.find((one) => sameInput(one.Name, column));
    if (input) filled.push({ column, input });
    else if (!isKey(column)) refuse(`the activity '${Name}' has no input '${column}'`);
  }
  if (filled.length === 0) refuse(`no column has the name of an input of '${Name}'`);
  for (const { input } of filled) {
    if (input.PresetValue !== null) refuse(`the input '${input.Name}' of '${Name}' has a preset value`);
    if (isFixed(input)) refuse(`the input '${input.Name}' of '${Name}' cannot be changed by who runs it`, 'Failed');
    if (isFileInput(input.Info) || valueShape(input.Info) !== 'cell')
      refuse(`the input '${input.Name}' of '${Name}' takes more than one value`);
  }
  const Inputs = filled.map(({ column }) => ({ Input: column, From: { Kind: 'Column' as const, Name: column } }));
  const info = { RangeType: 'RangeWithColumnHeaders' as const, ColumnHeaderValues: start.columns };
  const result = forEachRows({ KeyColumn: start.keyColumn, Inputs }, info, JSON.stringify(start.rows), 'a Start');
  if ('issue' in result) return refuse(result.issue, 'Failed');
  return {
    Inputs: filled.map(({ input }) => input.Id),
    Rows: result.rows.map(({ key, values }) => [
      key,
      filled.map(({ column }) => JSON.parse(values.get(column) ?? 'null') as unknown),
    ]),
  };
}

/** Names are compared as in the Portal sheet: in_Start_Date and Start Date are equal. */
const sameInput = (one: string, other: string): boolean => inputKey(one) === inputKey(other);
const inputKey = (name: string): string => name.trim().toLowerCase().replace(/^in_/, '').replaceAll('_', ' ');
