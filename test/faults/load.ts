import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { PortalClient } from './portal-client.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';

export interface Load {
  /** By UniqueId: the acknowledged run and its expected result. */
  readonly acknowledged: ReadonlyMap<string, { Id: number; double: number }>;
  /** Resolves at the next start that the portal acknowledges. */
  nextAcknowledged(): Promise<void>;
  /** Throws the error that stopped one of its clients. Without it, a test would only see that no more runs succeed. */
  throwIfFailed(): void;
  stop(): Promise<void>;
}

/** Number of characters per cell, and number of cells that make a result too large for a delta. */
const BALLAST = { characters: 32_000, cells: 8 };

const ballast = (): string => randomBytes(BALLAST.characters).toString('base64').slice(0, BALLAST.characters);

/**
 * A workbook that doubles a number and writes a log message. @param isLarge true if its results go to the file store
 */
export async function doublingWorkbook(isLarge = false): Promise<Buffer> {
  const rows = isLarge ? Array.from({ length: BALLAST.cells }, (_, row) => [`A${row + 1}`, ballast()]) : [];
  return buildWorkbook({
    sheets: [
      ...(isLarge ? [{ name: 'Ballast', cells: Object.fromEntries(rows) as Record<string, string> }] : []),
      { name: 'Main', cells: { A1: 1, B1: { formula: 'A1*2', value: 2 } } },
      {
        name: 'Portal',
        cells: { A1: 'Step', B1: 'Action', C1: 'Message', A2: 'Say', B2: 'Log', C2: 'calculated' },
        tables: [{ name: 'PortalSteps', ref: 'A1:C2', columns: ['Step', 'Action', 'Message'] }],
      },
    ],
    names: { in_Value: 'Main!$A$1', out_Double: 'Main!$B$1' },
  });
}

/** Above this number the clients start nothing; the load then ends soon after it stops. */
const MAX_PENDING = 25;
/**
 * Longest pause of a client after a start. The load must coincide with the faults; without pauses it would only use up
 * the processors.
 */
const MAX_PAUSE_MS = 250;

/** Starts runs from several clients at once, and occasionally cancels one, until it is stopped. */
export function startLoad(
  client: PortalClient,
  activities: readonly { Id: number; inputId: number }[],
  random: SeededRandom,
  clients: number,
): Load {
  const acknowledged = new Map<string, { Id: number; double: number }>();
  const stopping = new AbortController();
  const failures: unknown[] = [];
  let next = Promise.withResolvers<void>();

  async function keepStarting(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (((await client.pending()) ?? 0) > MAX_PENDING) {
        await pause(50);
        continue;
      }
      const { Id: activityId, inputId } = random.pick(activities);
      const value = random.between(1, 1_000_000);
      const uniqueId = randomUUID();
      const Id = await client.start(activityId, uniqueId, inputId, value, stopping.signal);
      if (Id === undefined) return;
      acknowledged.set(uniqueId, { Id, double: value * 2 });
      next.resolve();
      next = Promise.withResolvers();
      if (random.between(1, 20) === 1) await client.cancel(Id);
      await pause(random.between(0, MAX_PAUSE_MS));
    }
  }

  function throwIfFailed(): void {
    if (failures.length > 0) throw failures[0];
  }

  const working = Array.from({ length: clients }, () => keepStarting().catch((error: unknown) => failures.push(error)));
  return {
    acknowledged,
    nextAcknowledged: () => next.promise,
    throwIfFailed,
    stop: async () => {
      stopping.abort();
      await Promise.all(working);
      throwIfFailed();
    },
  };
}
