import { memo, useEffect } from 'react';
import { Link } from 'react-router-dom';
import type { ChecklistListItem } from '#shared/contract/checklist-list.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { LastRunLine } from '#renderer/features/activities/list/LastRunLine.tsx';
import { refreshActivities } from '#renderer/features/activities/use-activities.ts';
import { useLiveWorkflowRun } from '#renderer/features/live/use-live-stream.ts';
import { t } from '#renderer/language/translate.ts';
import { MoreMenu } from '#renderer/ui/TitleMenu.tsx';
import { checklistMenu, runPath } from './checklist-menu.tsx';

interface ChecklistTileProps {
  checklist: ChecklistListItem;
  /** The days of the legend, newest first. */
  days: readonly number[];
}

export const ChecklistTile = memo(function ChecklistTile({ checklist, days }: ChecklistTileProps) {
  const { Id, Name, Description, CanRun, IsWorkflow } = checklist;
  useRefreshWhenOver(checklist);
  const title = Description === '' ? Name : `${Name}\n${Description}`;
  return (
    <li className="rs-tile">
      <div className="rs-tile-head">
        {CanRun ? (
          <Link to={runPath(Id, IsWorkflow)} className="rs-tile-name" title={title}>
            {Name}
          </Link>
        ) : (
          <span className="rs-tile-name" title={title}>
            {Name}
          </span>
        )}
        <MoreMenu label={t('Menu of {name}', { name: Name })} entries={() => checklistMenu(checklist, 'Run')} />
      </div>
      <LastRunLine run={lastRunOf(checklist)} days={days} />
    </li>
  );
});

/** Refetches the list when the live stream reports that the pending last run has ended. */
function useRefreshWhenOver({ LastRunId, LastRunStatus }: ChecklistListItem): void {
  const isRunning = LastRunStatus !== null && isPending(LastRunStatus);
  const live = useLiveWorkflowRun(LastRunId ?? 0, isRunning);
  const isOver = isRunning && live !== undefined && !isPending(live.Status);
  useEffect(() => {
    if (isOver) refreshActivities();
  }, [isOver]);
}

function lastRunOf({ LastRunQueueTime, LastRunStatus, LastRunUserFullName }: ChecklistListItem) {
  if (LastRunQueueTime === null || LastRunStatus === null) return null;
  return { QueueTime: LastRunQueueTime, Status: LastRunStatus, UserFullName: LastRunUserFullName ?? '' };
}
