/**
 * Advances workflows: immediately if a step ended in this process, and by polling for ends that this process did not
 * see.
 */
import type { Db } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { attendToDue } from '#server/jobs/approvals/due-approvals.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { advanceChain, type AdvanceContext } from './advance-chain.ts';
import { createAdvancingEngine, type AdvancingEngine } from './advancing-engine.ts';
import type { ChainContext } from './chain-context.ts';
import { createHeadReader } from './chain-heads.ts';

export function createChainEngine(deps: ChainContext): AdvancingEngine {
  const context: AdvanceContext = { ...deps, readHead: createHeadReader() };
  const { database, signals, log } = deps;
  return createAdvancingEngine({
    advance: (id) => advanceChain(context, id),
    listPending: (after, limit) => pendingChains(database.knex, after, limit),
    prepare: (signal) => attendToDue(deps, signal),
    onEnded: (listener) => signals.onStepEnded(listener),
    log,
    failure: { field: 'checklistRun', text: 'a checklist or workflow could not go on; it is tried again' },
    sweepFailure: 'pending checklists and workflows could not be looked for',
  });
}

async function pendingChains(db: Db, after: number, limit: number): Promise<number[]> {
  return whereStatus(db('ChecklistRuns'), PENDING_STATUSES)
    .where('Id', '>', after)
    .orderBy('Id')
    .limit(limit)
    .pluck('Id') as Promise<number[]>;
}
