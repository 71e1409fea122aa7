import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LogEntry, RunStatus } from '../contract/run-status.ts';
import type { RunState } from '../contract/runs.ts';
import { createClient } from './client.ts';
import { waitForRun, watchRun } from './runs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const entry = (Id: number) => ({ Id, Message: `Line ${Id}` }) as LogEntry;
const state = (Status: RunStatus, LogEntries: LogEntry[] = []) =>
  ({ Status, LogEntries, Outputs: [] }) as unknown as RunState;

/** A portal that gives these answers, one after the other; a number is the status of a proxy. */
function portalWith(answers: (RunState | number)[]) {
  const calls: { at: number; prefer: string | null }[] = [];
  const client = createClient({
    address: 'http://portal.example',
    token: 'key',
    fetch: async (_address, init) => {
      calls.push({ at: Date.now(), prefer: new Headers(init?.headers).get('prefer') });
      const answer = answers.shift()!;
      return typeof answer === 'number' ? new Response('', { status: answer }) : Response.json({ result: answer });
    },
  });
  return { client, calls };
}

test('waits for the end and reports each log entry once', async () => {
  const { client, calls } = portalWith([
    state('Queued'),
    state('Started', [entry(1)]),
    state('Succeeded', [entry(1), entry(2)]),
  ]);
  const lines: number[][] = [];
  const waiting = waitForRun(client, 7, { onLog: (entries) => lines.push(entries.map(({ Id }) => Id)) });
  await vi.runAllTimersAsync();
  expect(await waiting).toMatchObject({ Id: 7, Status: 'Succeeded' });
  expect(lines).toEqual([[1], [2]]);
  expect(calls.map(({ prefer }) => prefer)).toEqual(['wait=50', 'wait=50', 'wait=50']);
});

test('a server that answers immediately is polled once per second', async () => {
  const { client, calls } = portalWith([state('Queued'), state('Queued'), state('Failed')]);
  const waiting = waitForRun(client, 7);
  await vi.runAllTimersAsync();
  await waiting;
  const [first, ...later] = calls;
  expect(later.map(({ at }) => at - first!.at)).toEqual([1000, 2000]);
});

test('an unreachable portal is reported and retried until the patience ends', async () => {
  const states: (RunStatus | null)[] = [];
  const onState = (found: RunState | null): void => void states.push(found && found.Status);
  const patient = portalWith([503, 502, state('Started'), 504, state('Succeeded')]);
  const watching = watchRun(patient.client, 7, { onState, patience: Infinity, callWait: 2 });
  await vi.runAllTimersAsync();
  expect((await watching).Status).toBe('Succeeded');
  expect(states).toEqual([null, null, 'Started', null]);
  expect(patient.calls[0]!.prefer).toBe('wait=2');
  const impatient = portalWith([503, 503]);
  const failing = expect(watchRun(impatient.client, 7, { patience: 0.5 })).rejects.toMatchObject({ status: 503 });
  await vi.runAllTimersAsync();
  await failing;
});

test('a refusal ends the watch immediately', async () => {
  const { client, calls } = portalWith([404]);
  await expect(watchRun(client, 7, { patience: Infinity })).rejects.toMatchObject({ status: 404 });
  expect(calls).toHaveLength(1);
});
