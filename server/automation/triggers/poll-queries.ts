/** Executes the due queries of triggers, and records what has become true or is new since the previous execution. */
import { AppError } from '#server/base/app-error.ts';
import type { Holder } from '#server/base/person.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { ResultBatch, ResultValue } from '#server/connections/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { planOf, triggerInputsOf, type NewTriggerEvent, type TriggerRow } from './trigger-row.ts';
import { bindQuery, parseQueryText } from '#shared/codecs/query-text.ts';
import { databaseTime } from '#server/automation/schedules/scheduler.ts';
import { eventValues } from './event-values.ts';
import { sha256 } from './supplied-inputs.ts';
import { lockTrigger, noteEvents, said } from './note-events.ts';
import { pauseTrigger, setPollMessage } from './pause-trigger.ts';
import type { TriggerContext } from './trigger-context.ts';

/** Maximum number of keys that can be compared. */
const KEYS_MAX = 1000;
const TIME_LIMIT_MS = 20_000;
const MAX_CONCURRENT_QUERIES = 4;

/** The result of the previous execution. */
type State = { Value: boolean } | { Keys: string[] };

export interface QueryPoller {
  /** Starts the due queries without waiting for their results. */
  poll(): Promise<void>;
  stop(): Promise<void>;
}

/** @param noted called when there may be something to start */
export function createQueryPoller(context: TriggerContext, noted: () => void): QueryPoller {
  const { database, log } = context;
  const { knex } = database;
  const asking = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function claim(trigger: TriggerRow): Promise<boolean> {
    const { Minutes } = planOf(trigger, 'Query');
    const NextTime = database.dialect.nowPlus(knex, Minutes * 60);
    const changed = await knex('Triggers')
      .where({ Id: trigger.Id, NextTime: trigger.NextTime })
      .whereNull('PausedTime')
      .update({ NextTime });
    return changed === 1;
  }

  return {
    poll: async () => {
      const room = MAX_CONCURRENT_QUERIES - asking.size;
      if (room <= 0) return;
      const due = await knex('Triggers')
        .where('NextTime', '<=', database.dialect.now(knex))
        .whereNull('PausedTime')
        .orderBy('NextTime')
        .limit(room);
      for (const trigger of due) {
        if (stopping.signal.aborted || !(await claim(trigger))) continue;
        const asked = askAndNote(context, trigger, stopping.signal)
          .then(noted)
          .catch((err: unknown) => log.warn({ err, trigger: trigger.Id }, 'could not execute the query of a trigger'))
          .finally(() => void asking.delete(asked));
        asking.add(asked);
      }
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(asking);
    },
  };
}

async function askAndNote(context: TriggerContext, trigger: TriggerRow, signal: AbortSignal): Promise<void> {
  const { knex } = context.database;
  const holder = await context.findHolder(trigger.UserId);
  const now = await databaseTime(knex, context.database);
  if (!holder) {
    return pauseTrigger(knex, trigger.Id, 'The user that the trigger runs as can no longer sign in', now);
  }
  let answer: ResultBatch;
  try {
    answer = await askQuery(context, holder, trigger, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ConnectionError || error instanceof AppError)) throw error;
    const isDenied = error instanceof ConnectionError && error.kind === 'denied';
    const { Connection } = planOf(trigger, 'Query');
    const denied = `The user that the trigger runs as may not use the connection '${Connection}'`;
    if (isDenied) return pauseTrigger(knex, trigger.Id, denied, now);
    return setPollMessage(knex, trigger.Id, error.message);
  }
  if (trigger.LookMessage !== null) await setPollMessage(knex, trigger.Id, null);
  await compare(context, trigger, answer, now);
}

/** Returns the rows that count: all keys, or the row with the condition. Throws a ConnectionError or AppError. */
export async function askQuery(
  { connections }: Pick<TriggerContext, 'connections'>,
  holder: Holder,
  trigger: Pick<TriggerRow, 'PlanText'>,
  signal: AbortSignal,
): Promise<ResultBatch> {
  const { Connection, Sql, When } = planOf(trigger, 'Query');
  const connection = await connections.require(holder, Connection);
  const text = parseQueryText(Sql, connection.kind);
  if (text.problem) throw new AppError('queryInvalid', 400, `The query ${text.problem}`);
  const bound = bindQuery(text, connection.kind, (name) => {
    throw new AppError('queryInvalid', 400, `The query has no value for @${name}`);
  });
  // Exact numbers are needed because keys of more than 15 digits could become equal by rounding.
  const options = { signal, timeLimit: TIME_LIMIT_MS, exactNumbers: true };
  if (When === 'NewKey') return connection.readAll(bound, { ...options, maxRows: KEYS_MAX });
  for await (const batch of connection.read(bound, options)) return { ...batch, rows: batch.rows.slice(0, 1) };
  return { columns: [], rows: [] };
}

export const isTrue = (value: ResultValue | undefined): boolean =>
  typeof value === 'string' ? !/^\s*(|0|false|no|off)\s*$/i.test(value) : Boolean(value);

const keyOfRow = ([first]: readonly ResultValue[]): string => String(first ?? '');

/** Returns the rows that are new since the previous execution; null if there was none. */
export function freshRows(
  { When }: { When: 'BecomesTrue' | 'NewKey' },
  StateText: string | null,
  { rows }: ResultBatch,
): { fresh: readonly (readonly ResultValue[])[] | null; state: string } {
  const before = StateText === null ? null : (JSON.parse(StateText) as State);
  if (When === 'BecomesTrue') {
    const Value = isTrue(rows[0]?.[0]);
    const wasTrue = before !== null && 'Value' in before ? before.Value : null;
    return { fresh: wasTrue === null ? null : Value && !wasTrue ? rows : [], state: JSON.stringify({ Value }) };
  }
  const known = before !== null && 'Keys' in before ? new Set(before.Keys) : null;
  const byKey = new Map(rows.map((row) => [keyOfRow(row), row]));
  const state = JSON.stringify({ Keys: [...byKey.keys()] });
  return { fresh: known && [...byKey].flatMap(([key, row]) => (known.has(key) ? [] : [row])), state };
}

async function compare(context: TriggerContext, asked: TriggerRow, answer: ResultBatch, now: Date): Promise<void> {
  const { fresh, state } = freshRows(planOf(asked, 'Query'), asked.StateText, answer);
  if (state === asked.StateText) return;
  await inTransaction(context.database.knex, async (trx) => {
    const trigger = await lockTrigger(trx, asked.Id);
    // Another server has executed the query in the meantime, or the trigger was changed: the result is obsolete.
    if (!trigger || trigger.Revision !== asked.Revision || trigger.StateText !== asked.StateText) return;
    await trx('Triggers').where('Id', trigger.Id).update({ StateText: state });
    if (fresh)
      await noteEvents(
        trx,
        trigger,
        fresh.map((row) => eventOf(trigger, answer, row, now)),
      );
  });
}

function eventOf(
  trigger: TriggerRow,
  { columns }: ResultBatch,
  row: readonly ResultValue[],
  now: Date,
): Omit<NewTriggerEvent, 'TriggerId'> {
  const { When } = planOf(trigger, 'Query');
  const names = columns.map(({ name }) => name.toLowerCase());
  const { values, issue } = eventValues(triggerInputsOf(trigger), (from) => row[names.indexOf(from.toLowerCase())]);
  const what = When === 'NewKey' ? `New: ${keyOfRow(row).slice(0, 200)}` : 'The condition has become true';
  const Subject = `${sha256(keyOfRow(row)).slice(0, 40)} ${now.toISOString()}`;
  if (issue !== null) return { Subject, Outcome: 'Refused', Message: said(what, issue) };
  return { Subject, Message: what, GivenText: JSON.stringify(values) };
}
