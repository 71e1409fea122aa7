/** Prepares the checklists and workflows that schedules start. */
import type { NewChain, NewStep } from '#server/jobs/chains/start-chain.ts';
import type { GivenInputs, Refusal, StartedBy } from './scheduled-runs.ts';

/** The checklist run to start, or why it cannot be started. */
export type ScheduledChain = Refusal | { refused: null; chain: NewChain; steps: readonly NewStep[] };

/** Prepares a start on behalf of the person whom a schedule runs as. */
export interface ChainScheduleStarter {
  /** Checks whether the person may still run the checklist, and returns what to start. */
  prepare: (
    checklistId: number,
    userId: number,
    given?: Exclude<GivenInputs, 'kept'>,
    by?: StartedBy,
  ) => Promise<ScheduledChain>;
  /** Returns why the person may no longer see the checklist, or null if they may. */
  refusal: (checklistId: number, userId: number) => Promise<Refusal | null>;
}
