import { Tag } from '@blueprintjs/core';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { ActivityListItem, LastRun } from '#shared/contract/activities.ts';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { MoreMenu } from '#renderer/ui/TitleMenu.tsx';
import { activityMenu } from './activity-menu.tsx';
import { dayOf } from './activity-sections.ts';
import { DateMark, OLDER } from './RunDate.tsx';

interface ActivityTileProps {
  activity: ActivityListItem;
  /** The days of the legend, newest first. */
  days: readonly number[];
}

export const ActivityTile = memo(function ActivityTile({ activity, days }: ActivityTileProps) {
  const { Id, Name, Description, CanRun, IsActive, LastRun: run } = activity;
  const title = Description === '' ? Name : `${Name}\n${Description}`;
  return (
    <li className="rs-tile">
      <div className="rs-tile-head">
        {CanRun ? (
          <Link to={`/activities/run/${Id}/`} className="rs-tile-name" title={title}>
            {Name}
          </Link>
        ) : (
          <span className="rs-tile-name" title={title}>
            {Name}
          </span>
        )}
        {!IsActive && <Tag minimal>Not active</Tag>}
        <MoreMenu label={`Menu of ${Name}`} entries={() => activityMenu({ ...activity, LastRunId: run?.Id ?? null })} />
      </div>
      {run ? <LastRunLine run={run} days={days} /> : <div className="rs-tile-run">Not run yet</div>}
    </li>
  );
});

function LastRunLine({ run, days }: { run: LastRun; days: readonly number[] }) {
  const found = days.indexOf(dayOf(run.QueueTime));
  const place = found === -1 ? OLDER : found;
  return (
    <div className="rs-tile-run">
      <StatusTag status={run.Status} compact />
      <span className="rs-tile-when">
        <DateMark place={place} />
        <DateText value={run.QueueTime} as={place === OLDER ? 'day' : 'clock'} />
      </span>
      <span className="rs-tile-user" title={run.UserFullName}>
        {run.UserFullName}
      </span>
    </div>
  );
}
