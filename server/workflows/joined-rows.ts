/** The results of the rows of a For each step, read page by page. Only the row names are ever in memory all at once. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Knex } from 'knex';
import { newestChildren } from '#server/workflows/child-runs/child-counts.ts';
import type { VersionOutput } from '#server/versions/version-catalog.ts';
import type { ActivityRunsRow } from '#server/db/tables.ts';
import type { JoinedTable } from '#shared/rules/workflows/joined-rows.ts';

type RowRun = Pick<ActivityRunsRow, 'Id' | 'RowKey' | 'RowIndex' | 'Status'>;

const PAGE = 500;
/** Maximum length of a joined table as JSON, in characters. */
const MAX_JOINED_CHARACTERS = 50_000_000;

/** A step of a workflow, or a Start step of a run. */
export type JoinedOf = { workflowRunId: number; stepKey: string } | { parentId: number; stepKey: string };

/**
 * Returns the last attempt of each row of a step, in table order, including rows reused from earlier workflow runs.
 * Skips the run that represents a table without rows.
 */
async function rowRuns(knex: Knex, of: JoinedOf): Promise<RowRun[]> {
  if ('parentId' in of) {
    return newestChildren(knex, { ParentRunId: of.parentId, StepKey: of.stepKey })
      .orderBy(['R.RowIndex', 'R.Id'])
      .select<RowRun[]>('R.Id', 'R.RowKey', 'R.RowIndex', 'R.Status');
  }
  const { workflowRunId: ChecklistRunId, stepKey: StepKey } = of;
  const reused = await knex('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where({ 'K.ChecklistRunId': ChecklistRunId, 'K.StepKey': StepKey })
    .whereNot('K.RowKey', '')
    .orderBy('R.Id')
    .select<RowRun[]>('R.Id', 'K.RowKey', 'K.RowIndex', 'R.Status');
  const own = await knex('ActivityRuns')
    .where({ ChecklistRunId, StepKey })
    .whereNot('RowKey', '')
    .orderBy('Id')
    .select('Id', 'RowKey', 'RowIndex', 'Status');
  const newest = new Map([...reused, ...own].map((run) => [run.RowKey, run]));
  return [...newest.values()].sort((a, b) => (a.RowIndex ?? Infinity) - (b.RowIndex ?? Infinity) || a.Id - b.Id);
}

interface OutputRow {
  ActivityRunId: number;
  ActivityParameterId: number;
  Value: string | null;
  FileName: string | null;
}

/**
 * Yields the lines of a joined table in pages, as JSON texts of lists. If the table has one line per row, rows that did
 * not succeed have a line with their status and no values. In a table of tables they have no lines.
 * @param columns the columns to include, in this order; null for all
 */
export async function* joinedLines(
  knex: Knex,
  of: JoinedOf,
  { from }: JoinedTable<VersionOutput>,
  columns: readonly number[] | null = null,
): AsyncGenerator<string[]> {
  const rows = await rowRuns(knex, of);
  const outputs = from.kind === 'values' ? from.outputs : [from.output];
  const ids = outputs.map(({ Id }) => Id);
  const pick = (cells: readonly string[]): string =>
    `[${(columns ? columns.map((index) => cells[index] ?? 'null') : cells).join()}]`;
  for (let start = 0; start < rows.length; start += PAGE) {
    const page = rows.slice(start, start + PAGE);
    const values = await outputRows(
      knex,
      page.map(({ Id }) => Id),
      ids,
    );
    for (const row of from.kind === 'values' ? [page] : page.map((one) => [one])) {
      const lines = row.flatMap((run) => {
        const head = [JSON.stringify(run.RowKey), JSON.stringify(run.Status)];
        const own = values.get(run.Id) ?? [];
        if (from.kind === 'values') return [pick([...head, ...ids.map((id) => cellOf(own, id))])];
        return tableLines(own).map((cells) => pick([...head, ...cells]));
      });
      if (lines.length > 0) yield lines;
    }
    // Yield to the event loop: a table of tables may have many lines.
    await nextTurn();
  }
}

async function outputRows(
  knex: Knex,
  runIds: readonly number[],
  outputIds: readonly number[],
): Promise<Map<number, OutputRow[]>> {
  if (outputIds.length === 0) return new Map();
  const rows = await knex('RunOutputs')
    .whereIn('ActivityRunId', runIds)
    .whereIn('ActivityParameterId', outputIds)
    .orderBy(['ActivityRunId', 'ActivityParameterId', 'ArrayIndex'])
    .select<OutputRow[]>('ActivityRunId', 'ActivityParameterId', 'Value', 'FileName');
  return Map.groupBy(rows, ({ ActivityRunId }) => ActivityRunId);
}

function cellOf(rows: readonly OutputRow[], outputId: number): string {
  const own = rows.filter(({ ActivityParameterId }) => ActivityParameterId === outputId);
  const names = own.flatMap(({ FileName }) => FileName ?? []);
  return names.length > 0 ? JSON.stringify(names.join(', ')) : (own[0]?.Value ?? 'null');
}

function tableLines([row]: readonly OutputRow[]): string[][] {
  const table = row?.Value == null ? [] : (JSON.parse(row.Value) as unknown[][]);
  return table.map((cells) => cells.map((cell) => JSON.stringify(cell)));
}

/** Returns all lines as the JSON text of one table, or null if it is too large for another step to take. */
export async function joinedJson(lines: AsyncIterable<string[]>): Promise<string | null> {
  const parts: string[] = [];
  let length = 2;
  for await (const page of lines) {
    const part = page.join();
    length += part.length + 1;
    if (length > MAX_JOINED_CHARACTERS) return null;
    parts.push(part);
  }
  return `[${parts.join()}]`;
}

/** Returns true if the step has run. This distinguishes a table without rows from a missing one. */
export async function hasRun(knex: Knex, ChecklistRunId: number, StepKey: string): Promise<boolean> {
  const step = await knex('ChecklistRunSteps').where({ ChecklistRunId, StepKey }).first('EndTime', 'NotRunBecause');
  return step?.EndTime != null && step.NotRunBecause === null;
}
