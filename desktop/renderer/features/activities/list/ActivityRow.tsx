import { Classes, Tag } from '@blueprintjs/core';
import { Play, Star, StarEmpty } from '@blueprintjs/icons';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { ActivityListItem } from '#shared/contract/activities.ts';
import type { ChecklistListItem } from '#shared/contract/checklist-list.ts';
import { checklistMenu } from '#renderer/features/checklists/checklist-menu.tsx';
import { t } from '#renderer/language/translate.ts';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { MoreMenu, type MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { activityMenu } from '../activity-menu.tsx';
import { MISCELLANEOUS } from './activity-sections.ts';
import type { ListRow } from './list-rows.ts';
import { toggleFavourite } from './use-marks.ts';

/** Blueprint's own buttons take several times as long to render, and each row that scrolls into view has three. */
const BUTTON = `${Classes.BUTTON} ${Classes.MINIMAL} ${Classes.SMALL}`;

interface ActivityRowProps {
  row: ListRow;
  /** Position among all rows, from 0. */
  index: number;
}

export const ActivityRow = memo(function ActivityRow({ row, index }: ActivityRowProps) {
  const { name, description, kind, path, isActive, schemaTitle, group, run, next, runPath } = row;
  return (
    <tr aria-rowindex={index + 2}>
      <td className="rs-list-star">
        <button
          type="button"
          className={BUTTON}
          aria-label={t('Favourite: {name}', { name })}
          aria-pressed={row.isFavourite}
          onClick={() => void toggleFavourite(row)}
        >
          {row.isFavourite ? <Star title={false} /> : <StarEmpty title={false} />}
        </button>
      </td>
      <td className="rs-list-name">
        <span className="rs-list-line">
          <Link to={path} className="rs-list-link" title={description === '' ? name : `${name}\n${description}`}>
            {name}
          </Link>
          {kind !== 'Activity' && <Tag minimal>{kind === 'Workflow' ? t('Workflow') : t('Checklist')}</Tag>}
          {!isActive && (
            <Tag minimal intent="warning">
              {t('Not active')}
            </Tag>
          )}
        </span>
        <span className="rs-list-line rs-list-description rs-muted">{description}</span>
        <span className="rs-list-line rs-list-brief">{run ? <RunText run={run} /> : t('Not run yet')}</span>
      </td>
      <td className="rs-list-group">
        <span className="rs-list-line">{group || MISCELLANEOUS}</span>
        <span className="rs-list-line rs-muted">{[schemaTitle, row.purpose].filter(Boolean).join(', ')}</span>
      </td>
      <td className="rs-list-outcome">{run && <StatusTag status={run.status} />}</td>
      <td className="rs-list-last">
        {run ? (
          <>
            <Link to={run.path} className="rs-list-line">
              <DateText value={run.time} as="relative" />
            </Link>
            <span className="rs-list-line rs-muted">{run.who}</span>
          </>
        ) : (
          <span className="rs-muted">{t('Not run yet')}</span>
        )}
      </td>
      <td className="rs-list-next">{next !== null && <DateText value={next} as="relative" />}</td>
      <td className="rs-list-actions">
        {runPath !== null && (
          <Link to={runPath} className={BUTTON} aria-label={t('Run {name}', { name })}>
            <Play title={false} />
          </Link>
        )}
        <MoreMenu label={t('Menu of {name}', { name })} entries={() => menuOf(row)} />
      </td>
    </tr>
  );
});

/** The last run in one line, for narrow screens. */
function RunText({ run }: { run: NonNullable<ListRow['run']> }) {
  return (
    <>
      <StatusTag status={run.status} /> <DateText value={run.time} as="relative" />
    </>
  );
}

/** Returns the same menu as the tiles. */
function menuOf({ kind, item }: ListRow): MenuEntry[] {
  if (kind !== 'Activity') return checklistMenu(item as ChecklistListItem, 'Run');
  const activity = item as ActivityListItem;
  return activityMenu({ ...activity, LastRunId: activity.LastRun?.Id ?? null });
}
