/** Times of a workflow run's steps on one axis, and their display order. */
import { isPending, type RunStatus } from '#shared/contract/run-status.ts';
import type { ChecklistRun, ChecklistStep } from '#shared/contract/checklist-runs.ts';
import { t } from '#renderer/language/translate.ts';

/** Milliseconds since 1970. */
export interface TimeAxis {
  from: number;
  to: number;
}

/**
 * Returns the axis from the start of the run to its end, or to `now` while it is pending. Its length is always
 * positive, even if clocks disagree.
 */
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

/**
 * Position of a step on the axis, as shares of 1 from its start. stepBar returns null for a step that never started.
 */
export interface StepBar {
  start: number;
  length: number;
  /** In milliseconds. */
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

/** Statuses of steps that failed themselves, and not because of another step. */
const WRONG: readonly RunStatus[] = ['Failed', 'LogicError', 'InternalError', 'Abandoned', 'NotLicensed'];
export const hasGoneWrong = ({ Status }: Pick<ChecklistStep, 'Status'>): boolean => WRONG.includes(Status);

/** A step with its position in the workflow, from 1. */
export interface PlacedStep {
  position: number;
  step: ChecklistStep;
}

/** Returns failed steps first, and otherwise the order of the workflow. */
export function failedFirst(steps: readonly ChecklistStep[]): PlacedStep[] {
  const placed = steps.map((step, index) => ({ position: index + 1, step }));
  return [...placed.filter(({ step }) => hasGoneWrong(step)), ...placed.filter(({ step }) => !hasGoneWrong(step))];
}

/** Returns the run of the first pending step, whose state is queried separately. */
export const firstPendingRun = (steps: readonly Pick<ChecklistStep, 'Id' | 'Status'>[]): number | null =>
  steps.find(({ Id, Status }) => Id !== null && Status !== 'QueuedInSeq' && isPending(Status))?.Id ?? null;

/** Counts the steps by outcome: '3 of 5 succeeded, 1 failed'. */
export function countsText(steps: readonly Pick<ChecklistStep, 'Status'>[]): string {
  const count = (wanted: (status: RunStatus) => boolean): number => steps.filter(({ Status }) => wanted(Status)).length;
  const parts = [
    [count((status) => status === 'Succeeded' || status === 'SucceededWarn'), t('succeeded')],
    [steps.filter(hasGoneWrong).length, t('failed')],
    [count((status) => status === 'Started' || status === 'PickedUp'), t('running')],
    [count((status) => status === 'Queued' || status === 'QueuedInSeq'), t('waiting')],
    [count((status) => status === 'Cancelled'), t('cancelled')],
  ] as const;
  const countTexts = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return `${t('{count, plural, one {# step} other {# steps}}', { count: steps.length })}: ${countTexts.join(', ')}`;
}
