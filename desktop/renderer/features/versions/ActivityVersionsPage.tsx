import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { activityVersions } from '#shared/contract/activities.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { activityMenu } from '#renderer/features/activities/activity-menu.tsx';
import { useActivityItem } from '#renderer/features/activities/use-activities.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { versionColumns } from './version-columns.tsx';

export function ActivityVersionsPage() {
  const id = Number(useParams()['id']);
  const query = useQuery(queryOf(activityVersions, { params: { id } }));
  const item = useActivityItem(id);
  const navigate = useNavigate();
  const columns = useMemo(
    () => versionColumns((row) => void navigate(`/activities/versions/${id}/${row.Version}/fidelity`)),
    [id, navigate],
  );
  const { data, error } = query;
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
    </Page>
  );
}
