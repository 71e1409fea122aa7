import { Tag } from '@blueprintjs/core';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { ActivityListItem } from '#shared/contract/activities.ts';
import { t } from '#renderer/language/translate.ts';
import { MoreMenu } from '#renderer/ui/TitleMenu.tsx';
import { activityMenu } from '#renderer/features/activities/activity-menu.tsx';
import { LastRunLine } from './LastRunLine.tsx';

interface ActivityTileProps {
  activity: ActivityListItem;
  /** The days of the legend, newest first. */
  days: readonly number[];
}

export const ActivityTile = memo(function ActivityTile({ activity, days }: ActivityTileProps) {
  const { Id, Name, Description, IsActive, LastRun: run } = activity;
  const title = Description === '' ? Name : `${Name}\n${Description}`;
  return (
    <li className="rs-tile">
      <div className="rs-tile-head">
        <Link to={`/activities/${Id}/`} className="rs-tile-name" title={title}>
          {Name}
        </Link>
        {!IsActive && <Tag minimal>{t('Not active')}</Tag>}
        <MoreMenu
          label={t('Menu of {name}', { name: Name })}
          entries={() => activityMenu({ ...activity, LastRunId: run?.Id ?? null })}
        />
      </div>
      <LastRunLine run={run} days={days} />
    </li>
  );
});
