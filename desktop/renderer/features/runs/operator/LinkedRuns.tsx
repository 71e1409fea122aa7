import { Link } from 'react-router-dom';
import type { TimelineRun } from '#shared/contract/run-timeline.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { formatTime } from '#renderer/ui/format-date.ts';
import { OUTCOME_GROUP_TEXTS, type OutcomeGroup } from './outcome-group.ts';

/** Links to this many runs; a longer list would hide the others. */
const LINKS_MAX = 5;

/** How many runs had an outcome, with links to the latest ones, except of those that need no attention. */
export function LinkedRuns({ outcome, runs }: { outcome: OutcomeGroup; runs: readonly TimelineRun[] }) {
  if (runs.length === 0) return null;
  const linked = outcome === 'succeeded' ? [] : runs.slice(-LINKS_MAX);
  return (
    <div>
      {OUTCOME_GROUP_TEXTS[outcome]}: {numberText(runs.length)}
      {linked.map(({ Id, StartTime, QueueTime }) => (
        <span key={Id}>
          {' '}
          <Link to={`/activities/runstatus/${Id}/`} aria-label={t('Run {id}', { id: Id })}>
            {formatTime(StartTime ?? QueueTime)}
          </Link>
        </span>
      ))}
    </div>
  );
}
