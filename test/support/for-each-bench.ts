/** Workflows with a step that runs once for each row of a table returned by the previous step. */
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { resumeWorkflowRun } from '#server/workflows/resume-workflow-run.ts';
import type { ForEachStep } from '#shared/rules/workflows/types.ts';
import type { WorkflowBench } from './workflow-bench.ts';
import { SUCCESS } from './fake-executor.ts';
import { output } from './portal.ts';
import { EMPTY_DEFINITION } from './runs.ts';
import type { WorkerBench } from './worker-bench.ts';

export const TABLE = {
  RangeType: 'RangeWithColumnHeaders' as const,
  ColumnHeaderValues: ['Company', 'Value'],
  Formats: ['General', 'General'],
  CellUsages: ['Text' as const, 'Number' as const],
};
const GIVES_TABLE: ActivityDefinition = { ...EMPTY_DEFINITION, outputs: [output('Table', TABLE)] };

/** A table with this many rows. */
export const table = (count: number): unknown[][] => Array.from({ length: count }, (_, at) => [`c${at + 1}`, at + 1]);

export function forEachSteps(bench: WorkerBench, workflows: WorkflowBench) {
  /** Creates a step that returns a table, and a step that runs for each of its rows. */
  async function forEach(rows: unknown[][], more: Partial<ForEachStep> = {}) {
    const list = await workflows.step('list', [], {}, { definition: GIVES_TABLE });
    workflows.outcomes.set('list', () => ({
      ...SUCCESS,
      outputs: [{ Name: 'Table', Value: JSON.stringify(rows), Rows: rows.length }],
    }));
    const { After, ActivityId, Key, Name, Join, OnFailure } = await workflows.step('each', ['list']);
    const each: ForEachStep = {
      Kind: 'ForEach',
      Key,
      Name,
      After,
      Join,
      OnFailure,
      ActivityId,
      Inputs: [{ Input: 'Amount', From: { Kind: 'Column', Name: 'value' } }],
      Rows: { Kind: 'Output', Step: 'list', Name: 'Table' },
      KeyColumn: 'Company',
      AtOnce: 2,
      StopAfterFailures: null,
      ...more,
    };
    return [list, each] as const;
  }

  const rowsThatFail = (...values: number[]) =>
    workflows.outcomes.set('each', ({ inputs }) => ({
      ...SUCCESS,
      status: values.includes(Number(inputs[0]!.value)) ? 'Failed' : 'Succeeded',
    }));
  const startWorkerAndEngine = (concurrency = 6) => {
    bench.work({ concurrency });
    return workflows.startEngine();
  };
  const resume = async (id: number): Promise<number> => {
    const { UserId } = await workflows.stored(id);
    return (await resumeWorkflowRun(bench.database, bench.signals, id, { UserId, UniqueId: null })).Id;
  };
  const logOf = (ChecklistRunId: number): Promise<string[]> =>
    bench.database.knex('ChecklistRunLogEntries').where({ ChecklistRunId }).orderBy('Id').pluck('Message');

  return { forEach, rowsThatFail, startWorkerAndEngine, resume, logOf };
}
