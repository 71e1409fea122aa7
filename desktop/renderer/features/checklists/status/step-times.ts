/** The steps of a chain on one time axis, and in the order in which people look at them. */
import { isPending, type RunStatus } from '#shared/contract/run-status.ts';
import type { ChecklistRun, ChecklistStep } from '#shared/contract/checklist-runs.ts';
import { t } from '#renderer/language/translate.ts';

/** Points in time, milliseconds since 1970. */
export interface TimeAxis {
  from: number;
  to: number;
}

/** From the start of the run to its end, or `now` while it goes on; clocks that disagree never make it negative. */
export function timeAxis(
  run: Pick<ChecklistRun, 'QueueTime' | 'EndTime'>,
  steps: readonly Pick<ChecklistStep, 'EndTime'>[],
  now: number,
): TimeAxis {
  const from = Date.parse(run.QueueTime);
  const ends = steps.flatMap(({ EndTime }) => (EndTime === null ? [] : [Date.parse(EndTime)]));
  const last = run.EndTime === null ? now : Date.parse(run.EndTime);
  return { from, to: Math.max(from + 1, last, ...ends) };
}

/** Where a step lies on the axis, shares of 1 from its start; null for one that was never begun. */
export interface StepBar {
  start: number;
  length: number;
  /** Milliseconds. */
  duration: number;
  isGrowing: boolean;
}

type StepTimes = Pick<ChecklistStep, 'Status' | 'PickupTime' | 'StartTime' | 'EndTime'>;

export function stepBar(step: StepTimes, axis: TimeAxis): StepBar | null {
  const begin = step.PickupTime ?? step.StartTime;
  if (begin === null) return null;
  const isGrowing = isPending(step.Status);
  const start = Math.max(axis.from, Date.parse(begin));
  const end = step.EndTime === null ? (isGrowing ? axis.to : start) : Date.parse(step.EndTime);
  const duration = Math.max(0, end - start);
  const whole = axis.to - axis.from;
  return {
    start: Math.min(1, (start - axis.from) / whole),
    length: Math.min(1, duration / whole),
    duration,
    isGrowing,
  };
}

/** What went wrong by itself, and not because of another step. */
const WRONG: readonly RunStatus[] = ['Failed', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed'];
export const hasGoneWrong = ({ Status }: Pick<ChecklistStep, 'Status'>): boolean => WRONG.includes(Status);

/** A step with its place in the chain, from 1. */
export interface PlacedStep {
  place: number;
  step: ChecklistStep;
}

/** Those that failed first; otherwise in the order of the chain. */
export function failedFirst(steps: readonly ChecklistStep[]): PlacedStep[] {
  const placed = steps.map((step, index) => ({ place: index + 1, step }));
  return [...placed.filter(({ step }) => hasGoneWrong(step)), ...placed.filter(({ step }) => !hasGoneWrong(step))];
}

/** The run of the first step that is pending: the one that is asked for by itself. */
export const firstPendingRun = (steps: readonly Pick<ChecklistStep, 'Id' | 'Status'>[]): number | null =>
  steps.find(({ Id, Status }) => Id !== null && Status !== 'QueuedInSeq' && isPending(Status))?.Id ?? null;

/** How many steps there are of each kind, in words: '3 of 5 succeeded, 1 failed'. */
export function countsText(steps: readonly Pick<ChecklistStep, 'Status'>[]): string {
  const count = (wanted: (status: RunStatus) => boolean): number => steps.filter(({ Status }) => wanted(Status)).length;
  const parts = [
    [count((status) => status === 'Succeeded' || status === 'SucceededWarn'), t('succeeded')],
    [steps.filter(hasGoneWrong).length, t('failed')],
    [count((status) => status === 'Started' || status === 'PickedUp'), t('running')],
    [count((status) => status === 'Queued' || status === 'QueuedInSeq'), t('waiting')],
    [count((status) => status === 'Cancelled'), t('cancelled')],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return `${t('{count, plural, one {# step} other {# steps}}', { count: steps.length })}: ${told.join(', ')}`;
}
