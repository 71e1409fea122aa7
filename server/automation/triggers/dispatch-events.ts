/**
 * Starts runs for waiting events. An event is settled in the transaction that queues its run, so it starts only once.
 */
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { TriggerEventRow, TriggerRow } from './trigger-row.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import {
  insertNotStarted,
  insertStartedWorkflowRun,
  refusedLine,
} from '#server/automation/schedules/scheduled-workflows.ts';
import { information, insertStarted } from '#server/automation/schedules/scheduled-runs.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { databaseTime } from '#server/automation/schedules/scheduler.ts';
import { lockTrigger, MESSAGE_LENGTH, said } from './note-events.ts';
import { pauseTrigger } from './pause-trigger.ts';
import { prepareStart, type PreparedStart } from './prepare-start.ts';
import type { StartResult, TriggerContext } from './trigger-context.ts';

/** Maximum number of events of one trigger that are handled per poll. */
const MAX_EVENTS_PER_POLL = 50;

/** Starts all waiting events whose overlap rule allows it. */
export async function dispatchWaitingEvents(context: TriggerContext, isStopping: () => boolean): Promise<StartResult> {
  const { knex } = context.database;
  const result: StartResult = { isQueued: false, startedRunIds: [] };
  const waiting = whereStatus(knex('TriggerEvents'), ['Waiting'], 'Outcome').groupBy('TriggerId');
  const triggers = await waiting.min({ First: 'Id' }).orderBy('First').select<{ TriggerId: number }[]>('TriggerId');
  for (const { TriggerId } of triggers) {
    if (isStopping()) break;
    try {
      await dispatchTriggerEvents(context, TriggerId, result);
    } catch (err) {
      // Do not block the other triggers.
      context.log.warn({ err, trigger: TriggerId }, 'could not execute a trigger; trying again');
    }
  }
  return result;
}

async function dispatchTriggerEvents(context: TriggerContext, TriggerId: number, result: StartResult): Promise<void> {
  const { knex } = context.database;
  const events = await whereStatus(knex('TriggerEvents').where({ TriggerId }), ['Waiting'], 'Outcome')
    .orderBy('Id')
    .limit(MAX_EVENTS_PER_POLL);
  for (const event of events) {
    if ((await dispatchEvent(context, event, 'skip', result)) === 'waits') return;
  }
}

/**
 * Starts the run of an event. Returns 'waits' if the previous run is pending or another server handles the trigger:
 * later events then wait as well.
 */
export async function dispatchEvent(
  context: TriggerContext,
  event: TriggerEventRow,
  locked: 'wait' | 'skip',
  result: StartResult,
): Promise<'done' | 'waits'> {
  const { knex } = context.database;
  const trigger = await knex('Triggers').where('Id', event.TriggerId).first();
  if (!trigger) return 'done';
  // Check before preparing anything, because the event may wait for hours.
  if (trigger.Overlap === 'Wait' && (await pendingRun(knex, trigger)) !== null) return 'waits';
  const start = await prepareStart(context, trigger, event);
  return inTransaction(knex, async (trx) => {
    const taken = await lockTrigger(trx, trigger.Id, locked);
    if (!taken) return 'waits';
    // Another person or other inputs were saved since: the next poll prepares the start again.
    if (taken.Revision !== trigger.Revision) return 'waits';
    const now = await trx('TriggerEvents').where('Id', event.Id).first('Outcome');
    if (now?.Outcome !== 'Waiting') return 'done';
    return store(context, trx, { trigger: taken, event, start, result });
  });
}

interface Store {
  trigger: TriggerRow;
  event: TriggerEventRow;
  start: PreparedStart;
  result: StartResult;
}

async function store(
  context: TriggerContext,
  trx: Knex.Transaction,
  { trigger, event, start, result }: Store,
): Promise<'done' | 'waits'> {
  if (trigger.PausedTime !== null) {
    return recordSkipped(trx, event, trigger.PausedReason === null ? 'The trigger was paused' : trigger.PausedReason);
  }
  const before = trigger.Overlap === 'Start' ? null : await pendingRun(trx, trigger);
  if (before !== null && trigger.Overlap === 'Wait') return 'waits';
  if (before !== null)
    return recordSkipped(trx, event, `Run ${before}, which the trigger started before, had not ended`);
  if (start.refused !== null && 'isSkipped' in start) return recordSkipped(trx, event, start.refused);
  const runs = await insertRuns(context, trx, trigger, event, start);
  const isStarted = start.refused === null;
  const Message = isStarted ? event.Message : said(event.Message, start.refused);
  const Outcome = isStarted ? 'Started' : 'Refused';
  await settle(trx, event, { Outcome, Message, ...runs });
  if (start.refused !== null && 'isAboutPerson' in start) {
    await pauseTrigger(trx, trigger.Id, start.refused, await databaseTime(trx, context.database));
  }
  if (isStarted && runs.ChecklistRunId !== null) result.startedRunIds.push(runs.ChecklistRunId);
  if (isStarted && runs.ActivityRunId !== null) result.isQueued = true;
  return 'done';
}

type Runs = Pick<TriggerEventRow, 'ActivityRunId' | 'ChecklistRunId'>;

/**
 * Inserts the run of an event. A refused start is stored as a run that ends immediately and logs the reason, so people
 * are notified as for other runs.
 */
async function insertRuns(
  { database }: TriggerContext,
  trx: Knex.Transaction,
  { ChecklistId, Name, UserId }: TriggerRow,
  event: TriggerEventRow,
  start: PreparedStart,
): Promise<Runs> {
  const what = event.Message === '' ? '' : `: ${event.Message}`;
  const lines: RunLogLine[] = [information(`Started by the trigger ${Name}${what}`)];
  if ('run' in start && start.run && start.start) {
    return { ActivityRunId: await insertStarted(trx, start.run, start.start, lines), ChecklistRunId: null };
  }
  if ('workflowRun' in start)
    return { ActivityRunId: null, ChecklistRunId: await insertStartedWorkflowRun(trx, start, lines) };
  if (ChecklistId === null) return { ActivityRunId: null, ChecklistRunId: null };
  const run = { ChecklistId, UserId, Status: 'LogicError' as const };
  const refused = [...lines, refusedLine(start.refused ?? '')];
  return { ActivityRunId: null, ChecklistRunId: await insertNotStarted({ database }, trx, run, refused) };
}

async function recordSkipped(trx: Knex.Transaction, event: TriggerEventRow, why: string): Promise<'done'> {
  const none = { ActivityRunId: null, ChecklistRunId: null };
  await settle(trx, event, { Outcome: 'LeftOut', Message: said(event.Message, why), ...none });
  return 'done';
}

async function settle(
  trx: Knex.Transaction,
  { Id }: TriggerEventRow,
  { Message, ...outcome }: Pick<TriggerEventRow, 'Outcome' | 'Message'> & Runs,
): Promise<void> {
  await trx('TriggerEvents')
    .where({ Id })
    .update({ ...outcome, Message: Message.slice(0, MESSAGE_LENGTH) });
}

/**
 * Returns the newest pending run of the trigger. While its overlap rule was another, any number of runs may have been
 * started after a pending one. The query starts from the pending runs, because a trigger has far more events.
 */
export async function pendingRun(db: Db, { Id, ActivityId, ChecklistId }: TriggerRow): Promise<number | null> {
  const [runs, owner, run] =
    ActivityId === null
      ? (['ChecklistRuns', 'ChecklistId', 'ChecklistRunId'] as const)
      : (['ActivityRuns', 'ActivityId', 'ActivityRunId'] as const);
  const ofOwner = db(`${runs} as R`).where(`R.${owner}`, ActivityId ?? ChecklistId);
  const row = await whereStatus(ofOwner, PENDING_STATUSES, 'R.Status')
    .join('TriggerEvents as E', `E.${run}`, 'R.Id')
    .where('E.TriggerId', Id)
    .orderBy('R.Id', 'desc')
    .first<{ Id: number } | undefined>('R.Id');
  return row?.Id ?? null;
}
