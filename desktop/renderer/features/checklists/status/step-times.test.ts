import { expect, test } from 'vitest';
import type { ChecklistStep } from '#shared/contract/checklist-runs.ts';
import { countsText, failedFirst, firstPendingRun, stepBar, timeAxis } from './step-times.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const step = (part: Partial<ChecklistStep>): ChecklistStep =>
  ({ Id: 1, Status: 'Succeeded', PickupTime: null, StartTime: null, EndTime: null, ...part }) as ChecklistStep;

test('steps are on one axis from the start of the workflow to its end', () => {
  const axis = timeAxis({ QueueTime: at(0), EndTime: at(10) }, [], 0);
  const bar = stepBar(step({ PickupTime: at(2), StartTime: at(3), EndTime: at(7) }), axis);
  expect(bar).toEqual({ start: 0.2, length: 0.5, duration: 5000, isGrowing: false });
  expect(stepBar(step({ Status: 'QueuedInSeq' }), axis)).toBeNull();
});

test('a step that runs grows with the axis, and a clock that is late makes nothing negative', () => {
  const axis = timeAxis({ QueueTime: at(0), EndTime: null }, [], Date.parse(at(20)));
  expect(stepBar(step({ Status: 'Started', PickupTime: at(15) }), axis)).toMatchObject({
    start: 0.75,
    length: 0.25,
    isGrowing: true,
  });
  const late = timeAxis({ QueueTime: at(5), EndTime: null }, [step({ EndTime: at(9) })], Date.parse(at(1)));
  expect(late.to - late.from).toBe(4000);
  expect(stepBar(step({ PickupTime: at(1), EndTime: at(2) }), late)).toMatchObject({ start: 0, length: 0 });
});

test('a step that failed on its own comes first, and keeps its place', () => {
  const steps = [step({}), step({ Status: 'Failed' }), step({ Status: 'Cancelled' }), step({ Status: 'Abandoned' })];
  const stopped = step({ Status: 'Cancelled', PickupTime: at(1) });
  expect(failedFirst(steps).map(({ position }) => position)).toEqual([2, 4, 1, 3]);
  expect(countsText(steps)).toBe('4 steps: 1 succeeded, 2 failed, 1 cancelled');
  expect(countsText([...steps, stopped])).toBe('5 steps: 1 succeeded, 2 failed, 2 cancelled');
});

test('the run that is polled individually is the first pending one, not one that waits for it', () => {
  const steps = [step({ Id: 5 }), step({ Id: 7, Status: 'QueuedInSeq' }), step({ Id: 8, Status: 'Queued' })];
  expect(firstPendingRun(steps)).toBe(8);
  expect(firstPendingRun([step({ Id: 5 })])).toBeNull();
});
