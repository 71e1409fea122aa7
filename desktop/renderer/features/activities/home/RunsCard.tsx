import { Link } from 'react-router-dom';
import type { ActivityHome } from '#shared/contract/activity-home.ts';
import { durationText } from '#renderer/features/runs/history/duration-plot.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { RunBars } from './RunBars.tsx';

/** Number of runs listed below the plot; the history lists all. */
const LISTED = 6;

/** The outcomes of the last runs. */
export function RunsCard({ home }: { home: ActivityHome }) {
  const { Id, Runs, CanRun, CanViewRuns } = home;
  const title = CanViewRuns ? t('Last runs') : t('My last runs');
  if (Runs.length === 0) {
    return (
      <Card title={title}>
        <EmptyState
          title={CanViewRuns ? t('Not run yet') : t('You have not run it yet')}
          action={CanRun && <LinkButton to={`/activities/run/${Id}/`} intent="primary" text={t('Run Now')} />}
        />
      </Card>
    );
  }
  return (
    <Card title={title}>
      <RunBars runs={Runs} />
      <ul className="rs-home-runs">
        {Runs.slice(0, LISTED).map(({ Id: runId, Status, QueueTime, StartTime, EndTime, UserFullName }) => (
          <li key={runId}>
            <StatusTag status={Status} />
            <Link to={`/activities/runstatus/${runId}/`}>
              {rich('Run {runId} {queueTime}', { runId, queueTime: <DateText value={QueueTime} as="relative" /> })}
            </Link>
            <span className="rs-muted rs-home-who">{UserFullName}</span>
            <span className="rs-home-took">{durationText({ StartTime, EndTime })}</span>
          </li>
        ))}
      </ul>
      <LinkButton to={`/activities/runhistory/${Id}`} text={t('View All Runs')} />
    </Card>
  );
}
