import { HTMLSelect } from '@blueprintjs/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { allVersions, type VersionItem } from '#shared/contract/versions.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { LoadMore } from '#renderer/ui/LoadMore.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { versionColumns } from './version-columns.tsx';

/** Rows per request. Source: specification of activities, section 9. */
const PAGE_SIZE = 20;

function useAllVersions(schema: string) {
  return useInfiniteQuery({
    queryKey: [...keyOf(allVersions), schema],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      call(allVersions, {
        body: {
          ApproxRows: PAGE_SIZE,
          Schema: schema || null,
          FetchSchemas: pageParam === null,
          ModifiedMin: pageParam,
        },
        signal,
      }),
    getNextPageParam: (page) => (page.HasMore ? (page.ListItems.Items.at(-1)?.Modified ?? null) : null),
    ...keepPrevious,
  });
}

const versionsPath = ({ Id }: VersionItem): string => `/activities/versions/${Id}`;

export function AllVersionsPage() {
  const [params, setParams] = useSearchParams();
  const schema = params.get('schema') ?? '';
  const query = useAllVersions(schema);
  const navigate = useNavigate();
  const columns = useMemo<GridColumn<VersionItem>[]>(
    () => [
      { key: 'Schema', title: t('Schema'), text: (row) => row.Schema },
      {
        key: 'Name',
        title: t('Name'),
        givesWayTo: 140,
        text: (row) => row.Name,
        onClick: (row) => void navigate(versionsPath(row)),
        to: versionsPath,
      },
      ...versionColumns((path) => void navigate(path)),
    ],
    [navigate],
  );
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.ListItems.Items) ?? [], [query.data]);
  const schemas = query.data?.pages[0]?.Schemas ?? [];
  return (
    <Page title={t('Versions')}>
      <Card>
        <div className="rs-bar">
          <HTMLSelect
            aria-label={t('Schema')}
            value={schema}
            onChange={(event) => {
              const chosen = event.currentTarget.value;
              setParams(chosen === '' ? {} : { schema: chosen }, { replace: true });
            }}
            options={[{ value: '', label: t('All Schemas') }, ...schemas.map((name) => ({ value: name, label: name }))]}
          />
        </div>
        {query.data && (
          <DataGrid
            label={t('Versions')}
            rows={rows}
            columns={columns}
            empty={t('No results to display')}
            maxRows={20}
            sortable={false}
          />
        )}
        <LoadMore query={query} />
        {!query.data && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
        {!query.data && !query.error && <Skeleton kind="grid" />}
      </Card>
    </Page>
  );
}
