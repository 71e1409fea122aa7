import type { ActivityRun } from '#shared/contract/runs.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

type Counts = Pick<ActivityRun, 'RunningChildRuns' | 'SuccessfulChildRuns' | 'FailedChildRuns'>;

/** In words, what there is none of left out. */
export function childCounts({ RunningChildRuns, SuccessfulChildRuns, FailedChildRuns }: Counts): string[] {
  return [
    RunningChildRuns > 0 ? t('{running} running', { running: numberText(RunningChildRuns) }) : '',
    SuccessfulChildRuns > 0 ? t('{successful} successful', { successful: numberText(SuccessfulChildRuns) }) : '',
    FailedChildRuns > 0 ? t('{failed} failed', { failed: numberText(FailedChildRuns) }) : '',
  ].filter((text) => text !== '');
}
