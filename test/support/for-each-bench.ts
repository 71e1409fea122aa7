/** Workflows with a step that runs once for each row of a table returned by the previous step. */
import type { ActivityDefinition } from '#server/executors/executor.ts';
import { resumeChain } from '#server/jobs/chains/resume-chain.ts';
import type { ForEachStep } from '#shared/rules/chains/types.ts';
import type { ChainBench } from './chain-bench.ts';
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

export function forEachSteps(bench: WorkerBench, chains: ChainBench) {
  /** Creates a step that returns a table, and a step that runs for each of its rows. */
  async function forEach(rows: unknown[][], more: Partial<ForEachStep> = {}) {
    const list = await chains.step('list', [], {}, { definition: GIVES_TABLE });
    chains.outcomes.set('list', () => ({
      ...SUCCESS,
      outputs: [{ Name: 'Table', Value: JSON.stringify(rows), Rows: rows.length }],
    }));
    const { After, ActivityId, Key, Name, Join, OnFailure } = await chains.step('each', ['list']);
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
    chains.outcomes.set('each', ({ inputs }) => ({
      ...SUCCESS,
      status: values.includes(Number(inputs[0]!.value)) ? 'Failed' : 'Succeeded',
    }));
  const carryOut = (concurrency = 6) => {
    bench.work({ concurrency });
    return chains.startEngine();
  };
  const resume = async (id: number): Promise<number> => {
    const { UserId } = await chains.stored(id);
    return (await resumeChain(bench.database, bench.signals, id, { UserId, UniqueId: null })).Id;
  };
  const logOf = (ChecklistRunId: number): Promise<string[]> =>
    bench.database.knex('ChecklistRunLogEntries').where({ ChecklistRunId }).orderBy('Id').pluck('Message');

  return { forEach, rowsThatFail, carryOut, resume, logOf };
}
