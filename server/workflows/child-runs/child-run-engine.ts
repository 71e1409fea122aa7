/**
 * Begins child runs: immediately if something ended in this process, and by polling for ends that this process did not
 * see.
 */
import type { Db } from '#server/db/dialect/types.ts';
import { createAdvancingEngine, type AdvancingEngine } from '#server/workflows/advancing-engine.ts';
import { advanceChildRuns, type ChildRunContext } from './advance-child-runs.ts';

/** The engine for the rows of Start steps, by parent run id. */
export function createChildRunEngine(context: ChildRunContext): AdvancingEngine {
  const { database, signals, log } = context;
  return createAdvancingEngine({
    advance: (id) => advanceChildRuns(context, id),
    listPending: (after, limit) => pendingParents(database.knex, after, limit),
    onEnded: (listener) => signals.onChildEnded(listener),
    log,
    failure: { field: 'run', text: 'the runs that a run started could not go on; it is tried again' },
    sweepFailure: 'pending runs that others started could not be looked for',
  });
}

async function pendingParents(db: Db, after: number, limit: number): Promise<number[]> {
  return db('RunStarts')
    .whereNull('EndTime')
    .where('ParentRunId', '>', after)
    .distinct()
    .orderBy('ParentRunId')
    .limit(limit)
    .pluck('ParentRunId');
}
