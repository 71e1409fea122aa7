import { Button } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import {
  downloadSecurityActions,
  securityActionsList,
  type SecurityAction,
  type SecurityActionSearch,
} from '#shared/contract/security.ts';
import { call } from '#renderer/api/client.ts';
import { downloadByToken } from '#renderer/api/download.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { TechnicalName, technicalText } from './TechnicalName.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { scopeText } from '#renderer/features/rights/scope.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { useSearch } from '#renderer/ui/use-search.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { type FurtherPages } from '#renderer/ui/LoadMore.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { useAddressValues } from '#renderer/ui/use-address-values.ts';
import { filterOf, searchOf, withFilter, type ActionFilter } from './action-search.ts';
import { actionText } from './action-texts.ts';
import { ActionSearchBar } from './ActionSearchBar.tsx';
import { rightColumn } from './matrix-columns.tsx';
import './security.css';

const COLUMNS: GridColumn<SecurityAction>[] = [
  {
    key: 'Time',
    title: t('Time'),
    width: 150,
    text: (action) => formatDayTime(action.Time),
    render: (action) => <DateText value={action.Time} />,
  },
  { key: 'UserName', title: t('User Name'), text: (action) => action.UserName, givesWayTo: 125 },
  { key: 'UserFullName', title: t('User Full Name'), text: (action) => action.UserFullName, givesWayTo: 130 },
  {
    key: 'Action',
    title: t('Action'),
    givesWayTo: 240,
    text: ({ Action }) => technicalText(actionText(Action), Action),
    render: ({ Action }) => <TechnicalName plain={actionText(Action)} technical={Action} />,
  },
  { key: 'TargetUserName', title: t('Target user'), text: (action) => action.TargetUserName, givesWayTo: 130 },
  { key: 'TargetRole', title: t('Target role'), text: (action) => action.TargetRole, givesWayTo: 130 },
  { ...rightColumn(({ RightName }: SecurityAction) => RightName), givesWayTo: 120 },
  { key: 'Scope', title: t('Scope'), text: (action) => (action.RightName === '' ? '' : scopeText(action)) },
  { key: 'Address', title: t('Address'), text: (action) => action.Address },
];
const NOTHING_TOUCHED = [] as const;

function useActions(query: SecurityActionSearch) {
  return useInfiniteQuery({
    ...keepPrevious,
    queryKey: [...keyOf(securityActionsList), query],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => call(securityActionsList, { params: { lastId: pageParam }, query, signal }),
    getNextPageParam: (page) => (page.HasMore ? page.LookedTo : null),
  });
}

/** /securityActions */
export function SecurityActionsPage() {
  const [params, changeAddress] = useAddressValues();
  const { typed, setTyped, search: words } = useSearch();
  const filter = filterOf(params);
  const setFilter = (change: Partial<ActionFilter>): void => changeAddress((present) => withFilter(present, change));
  const search = searchOf(words, filter);
  const query = useActions(search);
  const { isBusy, change } = useChange(NOTHING_TOUCHED);
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
        {({ pages }) => (
          <>
            <ActionSearchBar words={typed} onWords={setTyped} filter={filter} onFilter={setFilter} />
            <ActionGrid pages={pages} query={query} isSearch={Object.keys(search).length > 0} />
          </>
        )}
      </QueryStates>
    </Page>
  );
}

interface ActionGridProps {
  pages: readonly { Items: SecurityAction[] }[];
  query: FurtherPages & { isPlaceholderData: boolean };
  isSearch: boolean;
}

function ActionGrid({ pages, query, isSearch }: ActionGridProps) {
  const { isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  // Placeholder data of the previous search has no next page.
  const hasNextPage = query.hasNextPage && !query.isPlaceholderData;
  const rows = useMemo(() => pages.flatMap((page) => page.Items), [pages]);
  const isSearchingOlder = rows.length === 0 && hasNextPage && !isFetchNextPageError;
  // A grid without rows does not request the next page, so fetch it here.
  useEffect(() => {
    if (isSearchingOlder && !isFetchingNextPage) void fetchNextPage();
  }, [isSearchingOlder, isFetchingNextPage, fetchNextPage]);
  if (isSearchingOlder) return <p role="status">{t('Searching older actions…')}</p>;
  return (
    <DataGrid
      label={t('Security actions')}
      rows={rows}
      columns={COLUMNS}
      empty={isSearch ? t('No security actions match the search') : t('No results to display')}
      maxRows={17}
      maxColumnWidth={360}
      sortable={false}
      more={{ ...query, hasNextPage }}
    />
  );
}
