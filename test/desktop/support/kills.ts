/**
 * Kills the program with SIGKILL while a start is queued, sent or answered, and checks what has become of the start.
 */
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

/**
 * While it is queued, before it is sent, once the server has accepted it but no response has arrived, and with its
 * response.
 */
export const KILL_POINTS = ['queueing', 'before', 'unanswered', 'answered'] as const;

interface Running {
  client: Client;
  page: Page;
  way: Way;
}

export interface KillBench {
  /**
   * The server must be unreachable at first and is restored. Returns true if the page was told that the start is
   * stored.
   */
  killAt(killPoint: (typeof KILL_POINTS)[number], round: number, running: Running): Promise<boolean>;
  /** Waits until no start is pending and returns the runs of the stored starts. */
  settled(page: Page, isStored: boolean): Promise<(number | null)[]>;
  /** Returns the runs of the start on the server. */
  runsOf(round: number): Promise<number[]>;
  clear(page: Page): Promise<void>;
}

/** A run is identified by its amount. */
const amountOf = (round: number): number => 1000 + round;
/** Milliseconds within which a start is written. */
const QUEUEING = 60;

/** @param person the user signed in to the client, whose runs are checked */
export async function killBench(person: Person, ActivityId: number): Promise<KillBench> {
  const history = (more: object): Promise<History> =>
    person.call(runHistory.path.slice(1), { ActivityId, ApproxRows: 10, ...more });
  const input = (await history({})).Activity!.Inputs[0]!.Id;
  const startOf = (round: number) => ({
    ActivityName: 'Double',
    Start: JSON.stringify({
      ActivityId,
      ActivityVersion: 1,
      UniqueId: `killed-${round}`,
      Inputs: [{ ActivityParameterId: input, Value: String(amountOf(round)) }],
    }),
    WasSent: false,
    Form: '[]',
  });
  const entries = (page: Page): Promise<OutboxEntry[]> =>
    page.evaluate(() => (window as unknown as Bridged).runsheet.outbox.list());
  return {
    killAt: async (killPoint, round, { client, page, way }) => {
      const ended = once(client.app.process(), 'close');
      const kill = (): void => void client.kill();
      const added = page
        .evaluate((start) => (window as unknown as Bridged).runsheet.outbox.add(start), startOf(round))
        .then(({ Problem }) => Problem === '')
        .catch(() => false);
      if (killPoint === 'queueing') {
        await pause((round * 7) % QUEUEING);
        kill();
      } else {
        expect(await added).toBe(true);
        way.atPost(startRun.path, killPoint, kill);
        await way.restore();
        // The client may find the server first, and be killed before it responds.
        await page.evaluate(() => (window as unknown as Bridged).runsheet.connection.poll()).catch(() => undefined);
      }
      await ended;
      if (killPoint === 'queueing') await way.restore();
      return added;
    },
    settled: async (page, isStored) => {
      const states = async () => (await entries(page)).map(({ State }) => State);
      await expect.poll(states).toSatisfy((found: string[]) => found.every((state) => state === 'started'));
      const found = await entries(page);
      if (isStored) expect(found).toHaveLength(1);
      return found.map(({ RunId }) => RunId);
    },
    runsOf: async (round) => {
      const Value = amountOf(round);
      const condition = { Direction: 'input', ActivityParameterId: input, Operator: '=', Value };
      return (await history({ Values: [condition] })).Runs.map(({ Id }) => Id);
    },
    clear: async (page) => {
      for (const { Id } of await entries(page))
        await page.evaluate((id) => (window as unknown as Bridged).runsheet.outbox.remove(id), Id);
    },
  };
}
