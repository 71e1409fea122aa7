/** Kills the program, with the signal that nothing hears, while a start is queued, sent or answered; and says what has become of the start. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import type { OutboxEntry } from '#bridge/outbox.ts';
import { startRun } from '#shared/contract/runs.ts';
import { runHistory, type History } from '#shared/contract/run-history.ts';
import type { Person } from './client-portal.ts';
import type { Bridged } from './pages.ts';
import type { Client } from './runtime.ts';
import type { Way } from './way.ts';

/** While it is queued, before it is sent, once it was taken and nobody has heard of that, and with its answer. */
export const MOMENTS = ['queueing', 'before', 'unanswered', 'answered'] as const;

interface Running {
  client: Client;
  page: Page;
  way: Way;
}

export interface KillBench {
  /** The server is away before, and reached afterwards. Answers whether the page was told that the start is kept. */
  killAt(moment: (typeof MOMENTS)[number], turn: number, running: Running): Promise<boolean>;
  /** Once nothing waits any more: the runs of what was kept. */
  settled(page: Page, isKept: boolean): Promise<(number | null)[]>;
  /** What the server has of the start. */
  runsOf(turn: number): Promise<number[]>;
  clear(page: Page): Promise<void>;
}

/** By its amount a run is known. */
const amountOf = (turn: number): number => 1000 + turn;
/** Milliseconds within which a start is written. */
const QUEUEING = 60;

/** @param person whose runs are looked at, and who is signed in in the client */
export async function killBench(person: Person, ActivityId: number): Promise<KillBench> {
  const history = (more: object): Promise<History> =>
    person.call(runHistory.path.slice(1), { ActivityId, ApproxRows: 10, ...more });
  const input = (await history({})).Activity!.Inputs[0]!.Id;
  const startOf = (turn: number) => ({
    ActivityName: 'Double',
    Start: JSON.stringify({
      ActivityId,
      ActivityVersion: 1,
      UniqueId: `killed-${turn}`,
      Inputs: [{ ActivityParameterId: input, Value: String(amountOf(turn)) }],
    }),
    WasSent: false,
    Form: '[]',
  });
  const entries = (page: Page): Promise<OutboxEntry[]> =>
    page.evaluate(() => (window as unknown as Bridged).runsheet.outbox.list());
  return {
    killAt: async (moment, turn, { client, page, way }) => {
      const ended = once(client.app.process(), 'close');
      const kill = (): void => void client.kill();
      const added = page
        .evaluate((start) => (window as unknown as Bridged).runsheet.outbox.add(start), startOf(turn))
        .then(({ Problem }) => Problem === '')
        .catch(() => false);
      if (moment === 'queueing') {
        await pause((turn * 7) % QUEUEING);
        kill();
      } else {
        expect(await added).toBe(true);
        way.atPost(startRun.path, moment, kill);
        await way.restore();
        // The client may find the server before it is told to look, and be killed before it answers.
        await page.evaluate(() => (window as unknown as Bridged).runsheet.connection.look()).catch(() => undefined);
      }
      await ended;
      if (moment === 'queueing') await way.restore();
      return added;
    },
    settled: async (page, isKept) => {
      const states = async () => (await entries(page)).map(({ State }) => State);
      await expect.poll(states).toSatisfy((found: string[]) => found.every((state) => state === 'started'));
      const found = await entries(page);
      if (isKept) expect(found).toHaveLength(1);
      return found.map(({ RunId }) => RunId);
    },
    runsOf: async (turn) => {
      const Value = amountOf(turn);
      const condition = { Direction: 'input', ActivityParameterId: input, Operator: '=', Value };
      return (await history({ Values: [condition] })).Runs.map(({ Id }) => Id);
    },
    clear: async (page) => {
      for (const { Id } of await entries(page))
        await page.evaluate((id) => (window as unknown as Bridged).runsheet.outbox.remove(id), Id);
    },
  };
}
