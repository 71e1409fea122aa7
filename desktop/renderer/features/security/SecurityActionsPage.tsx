import { Button } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { downloadSecurityActions, securityActionsList, type SecurityAction } from '#shared/contract/security.ts';
import { call } from '#renderer/api/client.ts';
import { downloadByToken } from '#renderer/api/download.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/features/administration/QueryStates.tsx';
import { scopeText } from '#renderer/features/administration/scope.ts';
import { useChange } from '#renderer/features/administration/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { DateText } from '#renderer/ui/texts.tsx';

const COLUMNS: GridColumn<SecurityAction>[] = [
  {
    key: 'Time',
    title: t('Time'),
    width: 150,
    text: (action) => formatDayTime(action.Time),
    render: (action) => <DateText value={action.Time} />,
  },
  { key: 'UserName', title: t('User Name'), text: (action) => action.UserName },
  { key: 'UserFullName', title: t('User Full Name'), text: (action) => action.UserFullName },
  { key: 'Action', title: t('Action'), text: (action) => action.Action },
  { key: 'TargetUserName', title: t('Target user'), text: (action) => action.TargetUserName },
  { key: 'TargetRole', title: t('Target role'), text: (action) => action.TargetRole },
  { key: 'RightName', title: t('Right Name'), text: (action) => action.RightName },
  { key: 'Scope', title: t('Scope'), text: (action) => (action.RightName === '' ? '' : scopeText(action)) },
  { key: 'Address', title: t('Address'), text: (action) => action.Address },
];
const NOTHING_TOUCHED = [] as const;

function useActions() {
  return useInfiniteQuery({
    queryKey: keyOf(securityActionsList),
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => call(securityActionsList, { params: { lastId: pageParam }, signal }),
    getNextPageParam: (page) => (page.HasMore ? (page.Items.at(-1)?.Id ?? null) : null),
  });
}

/** /securityActions */
export function SecurityActionsPage() {
  const query = useActions();
  const { isBusy, change } = useChange(NOTHING_TOUCHED);
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.Items) ?? [], [query.data]);
  const { fetchNextPage } = query;
  const onLoadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return (
    <Page
      title={t('Security Actions')}
      actions={
        query.data && (
          <Button
            icon={<Download />}
            text={t('Download')}
            loading={isBusy}
            onClick={() => void change(async () => downloadByToken(await call(downloadSecurityActions)))}
          />
        )
      }
    >
      <QueryStates query={query}>
        {() => (
          <DataGrid
            label={t('Security actions')}
            rows={rows}
            columns={COLUMNS}
            empty={t('No results to display')}
            maxRows={17}
            maxColumnWidth={220}
            sortable={false}
            hasMore={query.hasNextPage}
            isLoadingMore={query.isFetchingNextPage}
            onLoadMore={onLoadMore}
          />
        )}
      </QueryStates>
    </Page>
  );
}
