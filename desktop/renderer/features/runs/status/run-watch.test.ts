import { describe, expect, it } from 'vitest';
import { PENDING_STATUSES, RUN_STATUSES, isPending } from '#shared/contract/run-status.ts';
import type { ActivityRun, RunState } from '#shared/contract/runs.ts';
import { pollInterval, withState } from './run-watch.ts';

describe('watching a run', () => {
  it('polls each second while the run is pending, and stops once it has ended', () => {
    for (const Status of PENDING_STATUSES) expect(pollInterval({ Status, RunningChildRuns: 0 }, false)).toBe(1000);
    for (const Status of RUN_STATUSES.filter((status) => !isPending(status))) {
      expect(pollInterval({ Status, RunningChildRuns: 0 }, true)).toBe(false);
    }
  });
  it('continues while runs it started are running, and before the first answer', () => {
    expect(pollInterval({ Status: 'Succeeded', RunningChildRuns: 1 }, false)).toBe(1000);
    expect(pollInterval(undefined, false)).toBe(1000);
  });
  it('polls rarely while the server publishes changes', () => {
    expect(pollInterval({ Status: 'Started', RunningChildRuns: 0 }, true)).toBe(15_000);
  });
  it('takes over what changed, but neither into a run that has ended nor the outputs of a running one', () => {
    const run = { Status: 'Queued', RunningChildRuns: 0, Name: 'A', Outputs: [1] } as unknown as ActivityRun;
    const state = { Status: 'Started', RunningChildRuns: 0, Outputs: [], ChildStatuses: {} } as unknown as RunState;
    expect(withState(run, state)).toEqual({ ...run, Status: 'Started' });
    const ended = { ...run, Status: 'Failed' } as ActivityRun;
    expect(withState(ended, state)).toBe(ended);
  });
});
