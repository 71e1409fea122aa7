import type { ActivityRunsRow } from '#server/db/tables.ts';
/** A run that waits for the steps before it. */
export type RunToRelease = Pick<
  ActivityRunsRow,
  'Id' | 'ActivityId' | 'ActivityVersion' | 'MemoryCost' | 'SingleRun' | 'TurnOwner' | 'TraceParent'
>;
