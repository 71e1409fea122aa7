import { Comparison, Trash, Undo } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { activityVersions, type VersionItem } from '#shared/contract/versions.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { activityMenu } from '#renderer/features/activities/activity-menu.tsx';
import { useActivityItemQuery } from '#renderer/features/activities/use-activities.ts';
import { AccessFailure } from '#renderer/features/access/AccessFailure.tsx';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { MoreMenu } from '#renderer/ui/TitleMenu.tsx';
import { PurgeVersionsDialog } from './PurgeVersionsDialog.tsx';
import { RollBackDialog } from './RollBackDialog.tsx';
import { versionColumns } from './version-columns.tsx';

export function ActivityVersionsPage() {
  const id = Number(useParams()['id']);
  const query = useQuery(queryOf(activityVersions, { params: { id } }));
  const listed = useActivityItemQuery(id);
  const item = listed.data ?? undefined;
  const navigate = useNavigate();
  const { data, error } = query;
  const [purged, setPurged] = useState<number | null>(null);
  const [restored, setRestored] = useState<number | null>(null);
  const canEdit = item?.CanEdit === true;
  const isWorkbook = item?.Type !== 'StoredProcedure';
  const newest = data?.Versions[0]?.Version ?? 0;
  const columns = useMemo(() => {
    const all = versionColumns((path) => void navigate(path));
    const shared = isWorkbook ? all : all.filter(({ key }) => !OF_FILES.includes(key));
    const compare = (version: number): void => void navigate(`/activities/versions/${id}/changes/${version}/${newest}`);
    const actions = { compare, restore: setRestored, purge: isWorkbook ? setPurged : null };
    if (!canEdit || newest <= 1) return shared;
    // Place the actions right after the download, before the fidelity report, so that they stay visible.
    const afterDownload = shared.findIndex(({ key }) => key === 'Download') + 1;
    return shared.toSpliced(afterDownload || shared.length, 0, moreColumn(newest, actions));
  }, [id, navigate, canEdit, newest, isWorkbook]);
  const menu = item && activityMenu({ ...item, LastRunId: data?.LastRunId ?? null }, ['versions']);
  return (
    <Page title={data ? t('{name} Version History', { name: data.Name }) : t('Version History')} menu={menu}>
      <FetchFailure query={listed} text={t('The actions for the versions could not be loaded.')} />
      <Card>
        {data && (
          <DataGrid
            label={t('Versions of {name}', { name: data.Name })}
            rows={data.Versions}
            columns={columns}
            empty={t('No results to display')}
            maxRows={20}
          />
        )}
        {!data && error && <AccessFailure kind="Activity" id={id} error={error} onRetry={() => void query.refetch()} />}
        {!data && !error && <Skeleton kind="grid" />}
      </Card>
      <RollBackDialog activityId={id} isWorkbook={isWorkbook} version={restored} onClose={() => setRestored(null)} />
      <PurgeVersionsDialog activityId={id} version={purged} onClose={() => setPurged(null)} />
    </Page>
  );
}

/** Columns that apply only to workbooks. */
const OF_FILES = ['ContentLength', 'Download', 'Fidelity', 'Engine'];

interface VersionActions {
  compare: (version: number) => void;
  restore: (version: number) => void;
  /** Null if versions have no files. */
  purge: ((version: number) => void) | null;
}

/** Menu column for all versions except the newest. */
function moreColumn(newest: number, { compare, restore, purge }: VersionActions): GridColumn<VersionItem> {
  return {
    key: 'more',
    title: '',
    text: () => '',
    isActions: true,
    width: 50,
    render: ({ Version }) =>
      Version < newest && (
        <MoreMenu
          label={t('Menu of version {version}', { version: Version })}
          entries={() => [
            { text: t('Changes since then'), icon: <Comparison />, onSelect: () => compare(Version) },
            { text: t('Roll back to this version'), icon: <Undo />, onSelect: () => restore(Version) },
            ...(purge
              ? [
                  {
                    text: t('Purge from here'),
                    icon: <Trash />,
                    intent: 'danger' as const,
                    onSelect: () => purge(Version),
                  },
                ]
              : []),
          ]}
        />
      ),
  };
}
