/**
 * Prepares the start of an event's run before anything is locked, because it checks rights and values and stores files.
 */
import type { TriggerEventRow, TriggerRow } from './trigger-row.ts';
import type { NewRun } from '#server/queue/enqueue-run.ts';
import type { ScheduledWorkflowStart } from '#server/automation/schedules/workflow-schedule-starter.ts';
import type { SuppliedInput, Refusal, ScheduledStart } from '#server/automation/schedules/scheduled-runs.ts';
import { fileFor, readSuppliedInputs, type SkippedStart } from './supplied-inputs.ts';
import type { TriggerContext } from './trigger-context.ts';
import type { ActivitiesRow } from '#server/db/tables.ts';

/** A refused start of an activity also contains the run that records the refusal. */
export type PreparedStart =
  | SkippedStart
  | (Refusal & { run?: NewRun; start?: ScheduledStart })
  | { refused: null; run: NewRun; start: ScheduledStart }
  | Extract<ScheduledWorkflowStart, { refused: null }>;

export async function prepareStart(
  context: TriggerContext,
  trigger: TriggerRow,
  event: TriggerEventRow,
): Promise<PreparedStart> {
  const fixed = readSuppliedInputs(trigger, event);
  const file = fixed.refused === null ? await fileFor(context, trigger, event) : fixed;
  const wrong = file.refused === null ? null : file;
  if (wrong && 'isSkipped' in wrong) return wrong;
  const supplied = fixed.refused === null && file.refused === null ? [...fixed.supplied, ...file.supplied] : [];
  const { ActivityId, ChecklistId, UserId } = trigger;
  if (ActivityId !== null) return prepareRun(context, { ...trigger, ActivityId }, supplied, wrong);
  return wrong ?? context.workflowStarter.prepare(ChecklistId ?? 0, UserId, supplied, 'trigger');
}

type ActivityFacts = Pick<ActivitiesRow, 'Version' | 'IsActive' | 'MemoryCost' | 'SingleRun'>;

async function prepareRun(
  { database: { knex }, starter }: TriggerContext,
  { ActivityId, UserId }: TriggerRow & { ActivityId: number },
  supplied: SuppliedInput[],
  wrong: Refusal | null,
): Promise<PreparedStart> {
  const activity = await knex('Activities')
    .where('Id', ActivityId)
    .first<ActivityFacts>('Version', 'IsActive', 'MemoryCost', 'SingleRun');
  if (!activity.IsActive) return { refused: 'The activity was not active', isSkipped: true };
  const start = wrong ?? (await starter.prepare(ActivityId, UserId, supplied, 'trigger'));
  const { MemoryCost, SingleRun, Version: ActivityVersion } = activity;
  const run = { ActivityId, ActivityVersion, UserId, UniqueId: null, RetryOf: null, MemoryCost, SingleRun };
  return start.refused === null ? { refused: null, run, start } : { ...start, run, start };
}
