import { describe, expect, it } from 'vitest';
import { runPhases } from './time-line.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 4, 4, 9, 0, second)).toISOString();
const none = { PickupTime: null, StartTime: null, EndTime: null };

describe('the phases of a run', () => {
  it('end where the next one begins, the last with the run', () => {
    const run = { Status: 'Succeeded', QueueTime: at(0), PickupTime: at(2), StartTime: at(3), EndTime: at(9) } as const;
    const phases = runPhases(run, Date.parse(at(50)));
    expect(phases.map((phase) => [phase.label, phase.duration, phase.current])).toEqual([
      ['Queued', 2000, false],
      ['Gathering inputs', 1000, false],
      ['Running', 6000, false],
    ]);
  });
  it('grow until now while the run is pending', () => {
    const phases = runPhases({ Status: 'PickedUp', QueueTime: at(0), ...none, PickupTime: at(2) }, Date.parse(at(7)));
    expect(phases.at(-1)).toMatchObject({ key: 'gathering', duration: 5000, current: true });
  });
  it('leave out what a run never reached', () => {
    const phases = runPhases({ Status: 'Cancelled', QueueTime: at(0), ...none, EndTime: at(4) }, Date.parse(at(7)));
    expect(phases.map((phase) => phase.key)).toEqual(['queued']);
    expect(phases[0]!.duration).toBe(4000);
  });
  it('are never negative when clocks disagree', () => {
    expect(runPhases({ Status: 'Queued', QueueTime: at(9), ...none }, Date.parse(at(7)))[0]!.duration).toBe(0);
  });
});
