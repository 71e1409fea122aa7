import type { ActivityRun } from '#shared/contract/runs.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

type Counts = Pick<ActivityRun, 'RunningChildRuns' | 'SuccessfulChildRuns' | 'FailedChildRuns'>;

/** Returns the counts in words, without zero counts. */
export function childCounts({ RunningChildRuns, SuccessfulChildRuns, FailedChildRuns }: Counts): string[] {
  return [
    RunningChildRuns > 0 ? t('{running} running', { running: numberText(RunningChildRuns) }) : '',
    SuccessfulChildRuns > 0 ? t('{successful} successful', { successful: numberText(SuccessfulChildRuns) }) : '',
    FailedChildRuns > 0 ? t('{failed} failed', { failed: numberText(FailedChildRuns) }) : '',
  ].filter((text) => text !== '');
}
