import { memo } from 'react';
import type { ChecklistListItem } from '#shared/contract/checklist-list.ts';
import { LastRunLine } from '#renderer/features/activities/LastRunLine.tsx';
import { MoreMenu } from '#renderer/ui/TitleMenu.tsx';
import { checklistMenu } from './checklist-menu.tsx';

interface ChecklistTileProps {
  checklist: ChecklistListItem;
  /** The days of the legend, newest first. */
  days: readonly number[];
}

export const ChecklistTile = memo(function ChecklistTile({ checklist, days }: ChecklistTileProps) {
  const { Name, Description, CanEdit } = checklist;
  const title = Description === '' ? Name : `${Name}\n${Description}`;
  return (
    <li className="rs-tile">
      <div className="rs-tile-head">
        <span className="rs-tile-name" title={title}>
          {Name}
        </span>
        {CanEdit && <MoreMenu label={`Menu of ${Name}`} entries={() => checklistMenu(checklist)} />}
      </div>
      <LastRunLine run={lastRunOf(checklist)} days={days} />
    </li>
  );
});

function lastRunOf({ LastRunQueueTime, LastRunStatus, LastRunUserFullName }: ChecklistListItem) {
  if (LastRunQueueTime === null || LastRunStatus === null) return null;
  return { QueueTime: LastRunQueueTime, Status: LastRunStatus, UserFullName: LastRunUserFullName ?? '' };
}
