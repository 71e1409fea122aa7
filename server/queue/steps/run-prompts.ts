/**
 * Prompts that runs show to people. The waiting worker and the server that receives the answer communicate through the
 * database.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#server/db/database.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import type { PromptType, StepPrompt } from '#server/executors/step-services.ts';
import { isOutage, type AskDatabase } from '#server/queue/until-reachable.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import { createAnswerEncryption, encryptAnswer } from './encrypted-answer.ts';

/** Interval in milliseconds at which a worker polls for an answer. */
const POLL_INTERVAL_MS = 500;

/**
 * Asks a person and waits for the answer; returns null if none arrives in time. `say` writes the log line that asks.
 * The wait continues while the database cannot be reached: whether the worker still holds the run is decided elsewhere,
 * which aborts the signal.
 */
export async function askPrompt(
  database: Database,
  runId: number,
  { message, type, seconds }: StepPrompt,
  { signal, say, ask }: { signal: AbortSignal; say: (line: RunLogLine) => void; ask: AskDatabase },
): Promise<{ value: string } | null> {
  const { knex, dialect } = database;
  const encryption = createAnswerEncryption();
  const PromptKey = randomUUID();
  const insert = () =>
    knex('RunPrompts')
      .insert({
        PromptKey,
        ActivityRunId: runId,
        Type: type,
        ExpiryTime: dialect.nowPlus(knex, seconds),
        PublicKey: encryption.publicKey,
      })
      .returning('ExpiryTime');
  const find = () => knex('RunPrompts').where({ PromptKey }).select('ExpiryTime');
  const row = await ask(async (attempt) => {
    // An insert whose response did not arrive may have been committed.
    const [stored] = attempt > 1 ? await find() : [];
    return stored ?? (await insert())[0]!;
  });
  const expiry = row.ExpiryTime.toISOString();
  say({ Message: message, StatusCode: 0, Category: LogCategory.Information, prompt: { key: PromptKey, expiry, type } });
  for (;;) {
    await pause(POLL_INTERVAL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    const found = await lookUp(database, PromptKey);
    if (found) return found.encrypted === null ? null : { value: encryption.decrypt(found.encrypted, PromptKey) };
  }
}

/** Takes the answer from the database, or closes an expired prompt; undefined while the prompt is open. */
async function lookUp(database: Database, PromptKey: string): Promise<{ encrypted: string | null } | undefined> {
  const { knex, dialect } = database;
  const close = { ClosedTime: dialect.now(knex), EncryptedAnswer: null };
  try {
    const row = await knex('RunPrompts').where({ PromptKey }).first('EncryptedAnswer');
    const encrypted = row?.EncryptedAnswer ?? null;
    if (encrypted !== null) {
      // It does no harm if the answer stays a little longer: only this worker can decrypt it.
      await knex('RunPrompts')
        .where({ PromptKey })
        .update(close)
        .catch(() => 0);
      return { encrypted };
    }
    const expired = await knex('RunPrompts')
      .where({ PromptKey })
      .whereNull('AnswerTime')
      .where('ExpiryTime', '<=', dialect.now(knex))
      .update(close);
    return expired === 1 || !row ? { encrypted: null } : undefined;
  } catch (error) {
    if (!isOutage(database, error)) throw error;
    return undefined;
  }
}

/**
 * 'expired' also if the run has ended; 'answered' if someone else answered first; 'unknown' if there is no such prompt.
 */
export type AnswerResult = 'taken' | 'expired' | 'answered' | 'unknown';

/** Passes an answer to the waiting worker. */
export async function answerPrompt(
  { knex, dialect }: Database,
  prompt: { runId: number; key: string; value: string; userId: number },
): Promise<AnswerResult> {
  const found = await knex('RunPrompts')
    .where({ PromptKey: prompt.key, ActivityRunId: prompt.runId })
    .first('PublicKey');
  if (!found) return 'unknown';
  const waiting = knex('ActivityRuns')
    .select(knex.raw('1'))
    .where('Id', prompt.runId)
    .whereIn('Status', ['PickedUp', 'Started'])
    .whereNull('CancelTime');
  const taken = await knex('RunPrompts')
    .where({ PromptKey: prompt.key })
    .whereNull('AnswerTime')
    .whereNull('ClosedTime')
    .where('ExpiryTime', '>', dialect.now(knex))
    .whereExists(waiting)
    .update({
      EncryptedAnswer: encryptAnswer(found.PublicKey, prompt.key, prompt.value),
      AnswerTime: dialect.now(knex),
      AnswerUserId: prompt.userId,
    });
  if (taken === 1) return 'taken';
  const answered = await knex('RunPrompts')
    .where({ PromptKey: prompt.key })
    .whereNotNull('AnswerTime')
    .first('PromptKey');
  return answered ? 'answered' : 'expired';
}

export interface OpenPrompt {
  key: string;
  /** ISO 8601 timestamp. */
  expiry: string;
  type: PromptType;
}

/** Returns the prompts of a run that can currently be answered, by key. */
export async function openPrompts({ knex, dialect }: Database, runId: number): Promise<Map<string, OpenPrompt>> {
  const rows = await knex('RunPrompts')
    .where('ActivityRunId', runId)
    .whereNull('AnswerTime')
    .whereNull('ClosedTime')
    .where('ExpiryTime', '>', dialect.now(knex))
    .select('PromptKey', 'ExpiryTime', 'Type');
  return new Map(
    rows.map(({ PromptKey, ExpiryTime, Type }) => [
      PromptKey,
      { key: PromptKey, expiry: ExpiryTime.toISOString(), type: Type },
    ]),
  );
}
