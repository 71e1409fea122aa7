import type { ActivityRun } from '#shared/contract/runs.ts';

type Counts = Pick<ActivityRun, 'RunningChildRuns' | 'SuccessfulChildRuns' | 'FailedChildRuns'>;

/** In words, what there is none of left out. */
export function childCounts({ RunningChildRuns, SuccessfulChildRuns, FailedChildRuns }: Counts): string[] {
  const counts: [number, string][] = [
    [RunningChildRuns, 'running'],
    [SuccessfulChildRuns, 'successful'],
    [FailedChildRuns, 'failed'],
  ];
  return counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
}
