/**
 * A webhook whose receiver responds only occasionally, while servers are killed: each end of a run arrives, with a
 * single key.
 */
import type { Knex } from 'knex';
import { expect } from 'vitest';
import { startHttpPeer, type HttpPeer } from '#test/support/peers/http.ts';
import { untilProgress } from '#test/support/until.ts';
import type { MovedClock } from './moved-clock.ts';

/** Longer than a server may take for an attempt. */
const TAKEN_MS = 61_000;

/** Creates a webhook that receives the ends of the runs of one activity. */
export async function makeWebhook(address: string, token: string, activityId: number): Promise<HttpPeer> {
  const receiver = await startHttpPeer();
  const body = {
    Name: 'Ends',
    Url: receiver.url,
    OnRunEnded: true,
    OnVersionPublished: false,
    OnApprovalAsked: false,
    IsActive: true,
    ActivityIds: [activityId],
  };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${address}/api/admin/webhooks/create`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.text()).toBe(200);
  return receiver;
}

/**
 * Waits until all ends of runs have arrived at a receiver that works again. Waits between attempts are shortened.
 * Deliveries claimed by a killed server become available by the clock, which is moved only once, because nothing else
 * may become due.
 */
export async function untilDelivered(
  knex: Knex,
  clock: MovedClock,
  receiver: HttpPeer,
  activityId: number,
): Promise<void> {
  receiver.answer = 200;
  receiver.hangUp();
  await clock.moveTo(new Date((await clock.now()).getTime() + TAKEN_MS));
  await untilProgress(
    'all ends of runs have arrived',
    async () => {
      const runs = (await knex('ActivityRuns').where('ActivityId', activityId).pluck('Id')) as number[];
      const waiting = (await knex('Deliveries').where('Status', 'Waiting').pluck('Id')) as number[];
      const arrived = new Set(receiver.received.map(({ body }) => runOf(body)));
      const missing = runs.filter((run) => !arrived.has(run)).length;
      if (waiting.length > 0 || missing > 0) {
        await knex('Deliveries')
          .where('Status', 'Waiting')
          .update({ DueTime: await clock.now() });
      }
      return { waiting: waiting.length, missing, received: receiver.received.length };
    },
    ({ waiting, missing }) => waiting === 0 && missing === 0,
    { pauseMs: 100 },
  );
}

const runOf = (body: string): number => (JSON.parse(body) as { data: { ActivityRunId: number } }).data.ActivityRunId;

/** Returns how often the ends of runs arrived more than once. */
export async function checkDeliveries(
  knex: Knex,
  { received }: HttpPeer,
  activityId: number,
): Promise<{ repeats: number }> {
  const runs = (await knex('ActivityRuns').where('ActivityId', activityId).orderBy('Id').pluck('Id')) as number[];
  const keys = new Map<number, Set<string>>();
  for (const { body, headers } of received) {
    const known = keys.get(runOf(body)) ?? new Set();
    keys.set(runOf(body), known.add(String(headers['webhook-id'])));
  }
  expect([...keys.keys()].toSorted((a, b) => a - b)).toEqual(runs);
  expect(new Set([...keys.values()].map(({ size }) => size))).toEqual(new Set([1]));
  return { repeats: received.length - runs.length };
}
