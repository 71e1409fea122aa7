/** Starts what waits: an event is over with in the transaction that puts its run into the queue, so that it starts once. */
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { TriggerEventRow, TriggerRow } from '#server/db/trigger-row.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import { insertNotStarted, insertStartedChain, refusedLine } from '#server/jobs/schedules/scheduled-chains.ts';
import { information, insertStarted } from '#server/jobs/schedules/scheduled-runs.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { databaseTime } from '../schedules/scheduler.ts';
import { lockTrigger, MESSAGE_LENGTH, said } from './note-events.ts';
import { pauseTrigger } from './pause-trigger.ts';
import { prepareStart, type PreparedStart } from './prepare-start.ts';
import type { Begun, TriggerContext } from './trigger-context.ts';

/** Of one trigger, in one look. */
const MOST_AT_ONCE = 50;
/** Only the newest can still go on, unless the rule for overlaps was changed meanwhile. */
const LOOKED_AT = 20;

/** Starts all that waits and need not wait any longer. */
export async function fireWaiting(context: TriggerContext, isStopping: () => boolean): Promise<Begun> {
  const { knex } = context.database;
  const result: Begun = { isQueued: false, begun: [] };
  const waiting = whereStatus(knex('TriggerEvents'), ['Waiting'], 'Outcome').groupBy('TriggerId');
  const triggers = (await waiting.select('TriggerId').min({ First: 'Id' }).orderBy('First')) as { TriggerId: number }[];
  for (const { TriggerId } of triggers) {
    if (isStopping()) break;
    try {
      await fireTrigger(context, TriggerId, result);
    } catch (err) {
      // The others do not wait for it.
      context.log.warn({ err, trigger: TriggerId }, 'a trigger could not be carried out; it is tried again');
    }
  }
  return result;
}

async function fireTrigger(context: TriggerContext, TriggerId: number, result: Begun): Promise<void> {
  const { knex } = context.database;
  const events = (await whereStatus(knex('TriggerEvents').where({ TriggerId }), ['Waiting'], 'Outcome')
    .orderBy('Id')
    .limit(MOST_AT_ONCE)) as TriggerEventRow[];
  for (const event of events) {
    if ((await fireEvent(context, event, 'skip', result)) === 'waits') return;
  }
}

/** Answers 'waits' where the run before it goes on, or another server has the trigger: what follows waits as well. */
export async function fireEvent(
  context: TriggerContext,
  event: TriggerEventRow,
  locked: 'wait' | 'skip',
  result: Begun,
): Promise<'done' | 'waits'> {
  const { knex } = context.database;
  const trigger = (await knex('Triggers').where('Id', event.TriggerId).first()) as TriggerRow | undefined;
  if (!trigger) return 'done';
  // Looked at before anything is prepared: it may wait for hours.
  if (trigger.Overlap === 'Wait' && (await pendingRun(knex, trigger)) !== null) return 'waits';
  const start = await prepareStart(context, trigger, event);
  return inTransaction(knex, async (trx) => {
    const taken = await lockTrigger(trx, trigger.Id, locked);
    if (!taken) return 'waits';
    // Saved since by somebody else, or with other inputs: prepared anew at the next look.
    if (taken.Revision !== trigger.Revision) return 'waits';
    const now = (await trx('TriggerEvents').where('Id', event.Id).first('Outcome')) as { Outcome: string } | undefined;
    if (now?.Outcome !== 'Waiting') return 'done';
    return store(context, trx, { trigger: taken, event, start, result });
  });
}

interface Store {
  trigger: TriggerRow;
  event: TriggerEventRow;
  start: PreparedStart;
  result: Begun;
}

async function store(
  context: TriggerContext,
  trx: Knex.Transaction,
  { trigger, event, start, result }: Store,
): Promise<'done' | 'waits'> {
  if (trigger.PausedTime !== null) {
    return leaveOut(trx, event, trigger.PausedReason === null ? 'The trigger was paused' : trigger.PausedReason);
  }
  const before = trigger.Overlap === 'Start' ? null : await pendingRun(trx, trigger);
  if (before !== null && trigger.Overlap === 'Wait') return 'waits';
  if (before !== null) return leaveOut(trx, event, `Run ${before}, which the trigger started before, had not ended`);
  if (start.refused !== null && 'isLeftOut' in start) return leaveOut(trx, event, start.refused);
  const runs = await insertRuns(context, trx, trigger, event, start);
  const isStarted = start.refused === null;
  const Message = isStarted ? event.Message : said(event.Message, start.refused);
  const Outcome = isStarted ? 'Started' : 'Refused';
  await settle(trx, event, { Outcome, Message, ...runs });
  if (start.refused !== null && 'isAboutPerson' in start) {
    await pauseTrigger(trx, trigger.Id, start.refused, await databaseTime(trx, context.database));
  }
  if (isStarted && runs.ChecklistRunId !== null) result.begun.push(runs.ChecklistRunId);
  if (isStarted && runs.ActivityRunId !== null) result.isQueued = true;
  return 'done';
}

type Runs = Pick<TriggerEventRow, 'ActivityRunId' | 'ChecklistRunId'>;

/** What was refused is a run that ended at once and says why, so that people are told of it as of other runs. */
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
  if ('chain' in start) return { ActivityRunId: null, ChecklistRunId: await insertStartedChain(trx, start, lines) };
  if (ChecklistId === null) return { ActivityRunId: null, ChecklistRunId: null };
  const run = { ChecklistId, UserId, Status: 'LogicError' as const };
  const refused = [...lines, refusedLine(start.refused ?? '')];
  return { ActivityRunId: null, ChecklistRunId: await insertNotStarted({ database }, trx, run, refused) };
}

async function leaveOut(trx: Knex.Transaction, event: TriggerEventRow, why: string): Promise<'done'> {
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

/** The newest run of the trigger that goes on. */
export async function pendingRun(db: Db, { Id, ActivityId }: TriggerRow): Promise<number | null> {
  const [table, column] =
    ActivityId === null ? (['ChecklistRuns', 'ChecklistRunId'] as const) : (['ActivityRuns', 'ActivityRunId'] as const);
  const runs = (await db('TriggerEvents')
    .where('TriggerId', Id)
    .whereNotNull(column)
    .orderBy('Id', 'desc')
    .limit(LOOKED_AT)
    .pluck(column)) as number[];
  if (runs.length === 0) return null;
  const row = (await whereStatus(db(table).whereIn('Id', runs), PENDING_STATUSES).orderBy('Id', 'desc').first('Id')) as
    | { Id: number }
    | undefined;
  return row?.Id ?? null;
}
