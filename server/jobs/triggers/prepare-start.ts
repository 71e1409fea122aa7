/**
 * Prepares the start of an event's run before anything is locked, because it checks rights and values and stores files.
 */
import type { TriggerEventRow, TriggerRow } from '#server/db/trigger-row.ts';
import type { NewRun } from '#server/jobs/queue/enqueue-run.ts';
import type { ScheduledChain } from '#server/jobs/schedules/chain-schedule-starter.ts';
import type { GivenInput, Refusal, ScheduledStart } from '#server/jobs/schedules/scheduled-runs.ts';
import { fileFor, givenFor, type LeftOut } from './given-for.ts';
import type { TriggerContext } from './trigger-context.ts';

/** A refused start of an activity also contains the run that records the refusal. */
export type PreparedStart =
  | LeftOut
  | (Refusal & { run?: NewRun; start?: ScheduledStart })
  | { refused: null; run: NewRun; start: ScheduledStart }
  | Extract<ScheduledChain, { refused: null }>;

export async function prepareStart(
  context: TriggerContext,
  trigger: TriggerRow,
  event: TriggerEventRow,
): Promise<PreparedStart> {
  const fixed = givenFor(trigger, event);
  const file = fixed.refused === null ? await fileFor(context, trigger, event) : fixed;
  const wrong = file.refused === null ? null : file;
  if (wrong && 'isLeftOut' in wrong) return wrong;
  const given = fixed.refused === null && file.refused === null ? [...fixed.given, ...file.given] : [];
  const { ActivityId, ChecklistId, UserId } = trigger;
  if (ActivityId !== null) return prepareRun(context, { ...trigger, ActivityId }, given, wrong);
  return wrong ?? context.chainStarter.prepare(ChecklistId ?? 0, UserId, given, 'trigger');
}

interface ActivityFacts {
  Version: number;
  IsActive: boolean;
  MemoryCost: number;
  SingleRun: boolean;
}

async function prepareRun(
  { database: { knex }, starter }: TriggerContext,
  { ActivityId, UserId }: TriggerRow & { ActivityId: number },
  given: GivenInput[],
  wrong: Refusal | null,
): Promise<PreparedStart> {
  const activity = (await knex('Activities')
    .where('Id', ActivityId)
    .first('Version', 'IsActive', 'MemoryCost', 'SingleRun')) as ActivityFacts;
  if (!activity.IsActive) return { refused: 'The activity was not active', isLeftOut: true };
  const start = wrong ?? (await starter.prepare(ActivityId, UserId, given, 'trigger'));
  const { MemoryCost, SingleRun, Version: ActivityVersion } = activity;
  const run = { ActivityId, ActivityVersion, UserId, UniqueId: null, RetryOf: null, MemoryCost, SingleRun };
  return start.refused === null ? { refused: null, run, start } : { ...start, run, start };
}
