import type { LastRun } from '#shared/contract/activities.ts';
import { t } from '#renderer/language/translate.ts';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { dayOf } from './activity-sections.ts';
import { DateMark, OLDER } from './RunDate.tsx';

interface LastRunLineProps {
  /** Null if there was no run. */
  run: Omit<LastRun, 'Id'> | null;
  /** The days of the legend, newest first. */
  days: readonly number[];
}

/** Shows the outcome, time and user of a tile's last run. */
export function LastRunLine({ run, days }: LastRunLineProps) {
  if (!run) return <div className="rs-tile-run">{t('Not run yet')}</div>;
  const found = days.indexOf(dayOf(run.QueueTime));
  const position = found === -1 ? OLDER : found;
  return (
    <div className="rs-tile-run">
      <StatusTag status={run.Status} compact />
      <span className="rs-tile-when">
        <DateMark position={position} />
        <DateText value={run.QueueTime} as={position === OLDER ? 'day' : 'clock'} />
      </span>
      <span className="rs-tile-user" title={run.UserFullName}>
        {run.UserFullName}
      </span>
    </div>
  );
}
