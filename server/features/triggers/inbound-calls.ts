/** Accepts signed calls of programs and starts what their triggers start. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import {
  planOf,
  triggerInputsOf,
  type NewTriggerEvent,
  type TriggerEventRow,
  type TriggerRow,
} from '#server/automation/triggers/trigger-row.ts';
import { newSecret } from '#server/automation/deliveries/signature.ts';
import type { WebhookSecrets } from '#server/access/webhook-secrets.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { databaseTime } from '#server/automation/schedules/scheduler.ts';
import { atPointer, eventValues } from '#server/automation/triggers/event-values.ts';
import { dispatchEvent } from '#server/automation/triggers/dispatch-events.ts';
import { lockTrigger, noteEvents } from '#server/automation/triggers/note-events.ts';
import type { StartResult, TriggerContext } from '#server/automation/triggers/trigger-context.ts';
import { parseExactJson } from '#shared/codecs/exact-number.ts';
import { hasNul, NUL_REFUSED } from '#shared/rules/storable-text.ts';
import type { TriggerOutcome } from '#shared/contract/triggers.ts';
import { signedSubject, type Headers } from './inbound-signature.ts';
import { findByAddress } from './triggers-repository.ts';

export interface InboundCalls {
  /** Throws an AppError 401 without details if the call is not signed correctly. */
  take(key: string, headers: Headers, body: string): Promise<InboundAnswer>;
}

export interface InboundAnswer {
  Outcome: TriggerOutcome;
  Message: string;
  RunId: number | null;
  IsRepeated: boolean;
}

export interface InboundDeps {
  database: Database;
  context: TriggerContext;
  secrets: WebhookSecrets;
  signals: RunSignals;
}

/**
 * Used to check calls to unknown addresses, so that the response time reveals nothing to people who guess addresses.
 */
const NO_SECRET = newSecret();

export function createInboundCalls({ database, context, secrets, signals }: InboundDeps): InboundCalls {
  const { knex } = database;

  async function signed(
    key: string,
    headers: Headers,
    body: string,
  ): Promise<{ trigger: TriggerRow; Subject: string }> {
    const trigger = await findByAddress(knex, key);
    const now = await databaseTime(knex, database);
    const secret = trigger?.EncryptedSecret ? secrets.decrypt(key, trigger.EncryptedSecret) : null;
    const scheme = trigger?.Kind === 'Webhook' ? planOf(trigger, 'Webhook').Scheme : 'Standard';
    const Subject = signedSubject(scheme, secret ?? NO_SECRET, { headers, body, now });
    if (!trigger || secret === null || Subject === null)
      throw new AppError('notSigned', 401, 'The call is not signed correctly');
    return { trigger, Subject };
  }

  const findEvent = async (TriggerId: number, Subject: string): Promise<TriggerEventRow | undefined> =>
    knex('TriggerEvents').where({ TriggerId, Subject }).first();

  const note = (triggerId: number, event: Omit<NewTriggerEvent, 'TriggerId'>): Promise<void> =>
    inTransaction(knex, async (trx) => {
      const locked = await lockTrigger(trx, triggerId);
      if (locked) await noteEvents(trx, locked, [event]);
    });

  async function dispatch(event: TriggerEventRow): Promise<TriggerEventRow> {
    const started: StartResult = { isQueued: false, startedRunIds: [] };
    await dispatchEvent(context, event, 'wait', started);
    if (started.isQueued) signals.queued();
    for (const runId of started.startedRunIds) signals.stepEnded(runId);
    return (await findEvent(event.TriggerId, event.Subject)) ?? event;
  }

  return {
    take: async (key, headers, body) => {
      const { trigger, Subject } = await signed(key, headers, body);
      const before = await findEvent(trigger.Id, Subject);
      if (!before) await note(trigger.Id, eventOf(trigger, Subject, body));
      const noted = before ?? (await findEvent(trigger.Id, Subject));
      if (!noted) throw new AppError('notSigned', 401, 'The call is not signed correctly');
      // A call that is repeated while the first one is being executed waits for the same response.
      const done = noted.Outcome === 'Waiting' ? await dispatch(noted) : noted;
      return answerOf(done, before !== undefined);
    },
  };
}

function eventOf(trigger: TriggerRow, Subject: string, text: string): Omit<NewTriggerEvent, 'TriggerId'> {
  const body = parse(text);
  const { values, issue } = eventValues(triggerInputsOf(trigger), (from) => atPointer(body, from));
  if (issue !== null) return { Subject, Outcome: 'Refused', Message: `A call. ${issue}` };
  return { Subject, Message: 'A call', GivenText: JSON.stringify(values) };
}

function parse(text: string): unknown {
  let body: unknown;
  try {
    body = parseExactJson(text);
  } catch (cause) {
    throw new AppError('invalid_request', 400, 'The body is not valid JSON', { cause });
  }
  if (hasNul(body)) throw new AppError('invalid_request', 400, NUL_REFUSED);
  return body;
}

function answerOf({ Outcome, Message, ActivityRunId, ChecklistRunId }: TriggerEventRow, IsRepeated: boolean) {
  const RunId = ActivityRunId ?? ChecklistRunId;
  return { Outcome, Message, RunId, IsRepeated };
}
