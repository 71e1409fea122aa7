/** What schedules ask of checklists and workflows that they run. */
import type { NewChain, NewStep } from '#server/jobs/chains/start-chain.ts';
import type { GivenInputs, Refusal, StartedBy } from './scheduled-runs.ts';

/** What a schedule starts, or why it cannot. */
export type ScheduledChain = Refusal | { refused: null; chain: NewChain; steps: readonly NewStep[] };

/** Knows the person a schedule runs as. */
export interface ChainScheduleStarter {
  /** Whether the person may still run the checklist, and what is run then. */
  prepare: (
    checklistId: number,
    userId: number,
    given?: Exclude<GivenInputs, 'kept'>,
    by?: StartedBy,
  ) => Promise<ScheduledChain>;
  /** Why the person may not see the checklist any more; null where they may. */
  refusal: (checklistId: number, userId: number) => Promise<Refusal | null>;
}
