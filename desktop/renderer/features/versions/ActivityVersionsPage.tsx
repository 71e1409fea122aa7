import { Comparison, Trash, Undo } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { activityVersions, type VersionItem } from '#shared/contract/versions.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { activityMenu } from '#renderer/features/activities/activity-menu.tsx';
import { useActivityItem } from '#renderer/features/activities/use-activities.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { MoreMenu } from '#renderer/ui/TitleMenu.tsx';
import { PurgeVersionsDialog } from './PurgeVersionsDialog.tsx';
import { RollBackDialog } from './RollBackDialog.tsx';
import { versionColumns } from './version-columns.tsx';

export function ActivityVersionsPage() {
  const id = Number(useParams()['id']);
  const query = useQuery(queryOf(activityVersions, { params: { id } }));
  const item = useActivityItem(id);
  const navigate = useNavigate();
  const { data, error } = query;
  const [purged, setPurged] = useState<number | null>(null);
  const [restored, setRestored] = useState<number | null>(null);
  const canEdit = item?.CanEdit === true;
  const newest = data?.Versions[0]?.Version ?? 0;
  const columns = useMemo(() => {
    const shared = versionColumns((row) => void navigate(`/activities/versions/${id}/${row.Version}/fidelity`));
    const compare = (version: number): void => void navigate(`/activities/versions/${id}/changes/${version}/${newest}`);
    const actions = { compare, restore: setRestored, purge: setPurged };
    if (!canEdit || newest <= 1) return shared;
    // What can be done with a version stays in sight: the report on it comes after that.
    const afterDownload = shared.findIndex(({ key }) => key === 'Download') + 1;
    return shared.toSpliced(afterDownload, 0, moreColumn(newest, actions));
  }, [id, navigate, canEdit, newest]);
  const menu = item && activityMenu({ ...item, LastRunId: data?.LastRunId ?? null }, ['versions']);
  return (
    <Page title={data ? `${data.Name} Version History` : 'Version History'} menu={menu}>
      <Card>
        {data && (
          <DataGrid
            label={`Versions of ${data.Name}`}
            rows={data.Versions}
            columns={columns}
            empty="No results to display"
            maxRows={20}
          />
        )}
        {!data && error && <FailureState error={error} onRetry={() => void query.refetch()} />}
        {!data && !error && <Skeleton kind="grid" />}
      </Card>
      <RollBackDialog activityId={id} version={restored} onClose={() => setRestored(null)} />
      <PurgeVersionsDialog activityId={id} version={purged} onClose={() => setPurged(null)} />
    </Page>
  );
}

interface VersionActions {
  compare: (version: number) => void;
  restore: (version: number) => void;
  purge: (version: number) => void;
}

/** What can be done with a version that is not the newest. */
function moreColumn(newest: number, actions: VersionActions): GridColumn<VersionItem> {
  return {
    key: 'more',
    title: '',
    text: () => '',
    isActions: true,
    width: 50,
    render: ({ Version }) =>
      Version < newest && (
        <MoreMenu
          label={`Menu of version ${Version}`}
          entries={() => [
            { text: 'Changes since then', icon: <Comparison />, onSelect: () => actions.compare(Version) },
            { text: 'Roll back to this version', icon: <Undo />, onSelect: () => actions.restore(Version) },
            { text: 'Purge from here', icon: <Trash />, intent: 'danger', onSelect: () => actions.purge(Version) },
          ]}
        />
      ),
  };
}
