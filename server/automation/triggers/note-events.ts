/** Records the events of triggers, each one once. fire-events starts their runs. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { NewTriggerEvent, TriggerRow } from './trigger-row.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { TRIGGER_DEPTH_MAX, WAITING_EVENTS_MAX } from '#shared/contract/triggers.ts';

export const MESSAGE_LENGTH = 1000;
const CHUNK = 500;

/**
 * Locks the trigger and returns its current row; undefined if it does not exist or is locked elsewhere. While locked,
 * nobody else records its events, starts its runs or changes it.
 */
export async function lockTrigger(
  trx: Knex.Transaction,
  Id: number,
  locked: 'wait' | 'skip' = 'wait',
): Promise<TriggerRow | undefined> {
  const rows = await dialectOf(trx).lockRows(trx, {
    table: 'Triggers',
    columns: ['Id'],
    where: (query) => void query.where({ Id }),
    orderBy: [{ column: 'Id' }],
    locked,
  });
  return rows.length === 0 ? undefined : await trx('Triggers').where({ Id }).first();
}

/** Records events of a locked trigger. Events that are already recorded are ignored. */
export async function noteEvents(
  trx: Knex.Transaction,
  trigger: Pick<TriggerRow, 'Id' | 'PausedTime' | 'PausedReason'>,
  events: readonly Omit<NewTriggerEvent, 'TriggerId'>[],
): Promise<void> {
  const known = new Set<string>();
  for (let from = 0; from < events.length; from += CHUNK) {
    const subjects = events.slice(from, from + CHUNK).map(({ Subject }) => Subject);
    const rows = trx('TriggerEvents').where('TriggerId', trigger.Id).whereIn('Subject', subjects).pluck('Subject');
    for (const subject of await rows) known.add(subject);
  }
  const fresh = events.filter(({ Subject }) => !known.has(Subject));
  if (fresh.length === 0) return;
  let remaining = WAITING_EVENTS_MAX - (await countWaiting(trx, trigger.Id));
  const rows = fresh.map((event) => {
    const why = event.Outcome === undefined ? obstacle(trigger, event, remaining) : null;
    const Outcome = event.Outcome ?? (why === null ? 'Waiting' : 'LeftOut');
    if (Outcome === 'Waiting') remaining -= 1;
    return rowOf(trigger.Id, event, Outcome, why);
  });
  await inRows(trx, rows, (part) => trx('TriggerEvents').insert(part));
}

async function countWaiting(trx: Knex.Transaction, TriggerId: number): Promise<number> {
  const query = whereStatus(trx('TriggerEvents').where({ TriggerId }), ['Waiting'], 'Outcome');
  const row = await query.count({ Count: '*' }).first<{ Count: number }>();
  return row.Count;
}

function obstacle(
  { PausedTime, PausedReason }: Pick<TriggerRow, 'PausedTime' | 'PausedReason'>,
  { Depth = 0 }: Pick<NewTriggerEvent, 'Depth'>,
  remaining: number,
): string | null {
  if (PausedTime !== null) return PausedReason === null ? 'The trigger was paused' : `Paused: ${PausedReason}`;
  if (Depth > TRIGGER_DEPTH_MAX) return `More than ${TRIGGER_DEPTH_MAX} triggers started each other in a row`;
  return remaining > 0 ? null : `${WAITING_EVENTS_MAX} events were already waiting`;
}

function rowOf(
  TriggerId: number,
  {
    Subject,
    Message = '',
    GivenText = '[]',
    FileName = null,
    Sha256 = null,
    Depth = 0,
  }: Omit<NewTriggerEvent, 'TriggerId'>,
  Outcome: NewTriggerEvent['Outcome'],
  why: string | null,
): NewTriggerEvent {
  const text = why === null ? Message : said(Message, why);
  const none = { ActivityRunId: null, ChecklistRunId: null };
  return {
    TriggerId,
    Subject,
    Outcome,
    Message: text.slice(0, MESSAGE_LENGTH),
    GivenText,
    FileName,
    Sha256,
    Depth,
    ...none,
  };
}

/** Formats a message: what the event was, and why it did not start a run. */
export const said = (what: string, why: string): string => (what === '' ? why : `${what}. ${why}`);
