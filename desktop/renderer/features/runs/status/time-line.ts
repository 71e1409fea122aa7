/** The phases of a run on a time line. */
import { isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { t } from '#renderer/language/translate.ts';

export interface RunTimes {
  Status: RunStatus;
  QueueTime: string;
  PickupTime: string | null;
  StartTime: string | null;
  EndTime: string | null;
}

export interface Phase {
  key: 'queued' | 'gathering' | 'running';
  /** What the run did in the phase. */
  label: string;
  /** Point in time, milliseconds since 1970. */
  from: number;
  /** In milliseconds. */
  duration: number;
  /** True for the current phase of a pending run, whose duration still grows. */
  current: boolean;
}

const LABELS = { queued: t('Queued'), gathering: t('Gathering inputs'), running: t('Running') } as const;

/**
 * Returns the phases of a run in order, without phases that it never reached: a run that was cancelled in the queue has
 * one.
 * `now` (milliseconds) ends the current phase of a pending run. Durations are never negative, even if clocks disagree.
 */
export function runPhases(run: RunTimes, now: number): Phase[] {
  const pending = isPending(run.Status);
  const end = run.EndTime ? Date.parse(run.EndTime) : pending ? now : null;
  const starts: [Phase['key'], string | null][] = [
    ['queued', run.QueueTime],
    ['gathering', run.PickupTime],
    ['running', run.StartTime],
  ];
  const reached = starts.flatMap(([key, time]) => (time ? [{ key, from: Date.parse(time) }] : []));
  return reached.map(({ key, from }, index) => {
    const last = index === reached.length - 1;
    const to = last ? (end ?? from) : reached[index + 1]!.from;
    return { key, label: LABELS[key], from, duration: Math.max(0, to - from), current: last && pending };
  });
}
