import { Button, Callout } from '@blueprintjs/core';
import { useCallback, useMemo } from 'react';
import { exportHistory, type HistorySearch } from '#shared/contract/run-history.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { ExportButton } from '#renderer/ui/history/ExportButton.tsx';
import { conditionCount, type ChangeFilter } from '#renderer/ui/history/history-filter.ts';
import { StatusFilter } from '#renderer/ui/history/StatusFilter.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { PageTabs } from '#renderer/ui/PageTabs.tsx';
import { Panel } from '#renderer/ui/Panel.tsx';
import { presentValues, useAddressValues } from '#renderer/ui/use-address-values.ts';
import { readSort, sortOf, writeSort } from '../history/history-sorting.ts';
import { SavedSearches } from '../history/SavedSearches.tsx';
import { FailureReasons } from './FailureReasons.tsx';
import {
  isNarrowed,
  operatorSearch,
  readOperatorFilter,
  writeOperatorFilter,
  type OperatorFilter,
} from './operator-filter.ts';
import { OperatorSearch } from './OperatorSearch.tsx';
import { PeriodButtons } from './PeriodButtons.tsx';
import { RunList } from './RunList.tsx';
import { RunTimeline } from './RunTimeline.tsx';
import { useRefreshedRuns } from './use-run-changes.ts';
import '../history/run-history.css';
import './operator.css';

const VIEWS = ['list', 'reasons', 'timeline'] as const;
type View = (typeof VIEWS)[number];

const VIEW_TEXTS: Record<View, string> = {
  list: t('List'),
  reasons: t('Failures by reason'),
  timeline: t('Timeline'),
};

const readView = (query: URLSearchParams): View => VIEWS.find((view) => view === query.get('view')) ?? 'list';

/** /activities/runhistory: the runs of all activities, for the people who watch over them. */
export function OperatorPage() {
  const [query, changeAddress] = useAddressValues();
  useRefreshedRuns();
  const filter = readOperatorFilter(query);
  const view = readView(query);
  const change = useCallback(
    (to: Partial<OperatorFilter>) =>
      changeAddress((present) => writeOperatorFilter(present, { ...readOperatorFilter(present), ...to })),
    [changeAddress],
  );
  const changeFilter: ChangeFilter = useCallback(
    (to) =>
      changeAddress((present) => {
        const before = readOperatorFilter(present);
        const after = { ...before, ...to(before) };
        // Days that are chosen in the plot replace the period.
        const hasNewDays = after.from !== before.from || after.to !== before.to;
        return writeOperatorFilter(present, hasNewDays ? { ...after, period: null } : after);
      }),
    [changeAddress],
  );
  const clear = useCallback(
    () =>
      changeAddress((present) => {
        const chosen = present.get('view');
        return new URLSearchParams(chosen === null ? {} : { view: chosen });
      }),
    [changeAddress],
  );
  const search = useSearch(query);
  return (
    <Page title={t('Activity History')} actions={<Actions query={query} filter={filter} changeFilter={changeFilter} />}>
      <div className="rs-bar rs-operator-head">
        <PeriodButtons filter={filter} hasPeriods={view !== 'timeline'} onChange={change} />
        <PageTabs label={t('Views of the runs')} tabs={viewTabs(query, view)} isSecond />
      </div>
      <Panel title={searchTitle(filter)} name="search" isInitiallyOpen={false}>
        <OperatorSearch
          key={JSON.stringify([filter.name, filter.schema, filter.by, filter.error, filter.from, filter.to])}
          filter={filter}
          onSearch={change}
        />
      </Panel>
      {filter.reason !== '' && view !== 'reasons' && (
        <Callout compact className="rs-operator-reason">
          {t('Only runs that failed for the chosen reason are shown.')}{' '}
          <Button size="small" text={t('Show all reasons')} onClick={() => change({ reason: '' })} />
        </Callout>
      )}
      {view === 'list' && (
        <RunList
          search={search}
          sort={readSort(query)}
          onSort={(sort) => changeAddress((present) => writeSort(present, sort))}
          isNarrowed={isNarrowed(filter)}
          change={changeFilter}
          onClear={clear}
        />
      )}
      {view === 'reasons' && (
        <FailureReasons
          search={search}
          onShow={(reason) =>
            changeAddress((present) => {
              present.delete('view');
              present.set('reason', reason);
              return present;
            })
          }
        />
      )}
      {view === 'timeline' && <RunTimeline search={search} />}
    </Page>
  );
}

/**
 * Returns the search of the address. It stays the same while the address does, so that a period of the last hours does
 * not move at every click.
 */
function useSearch(query: URLSearchParams): HistorySearch {
  const text = query.toString();
  return useMemo(() => searchIn(new URLSearchParams(text)), [text]);
}

function searchIn(query: URLSearchParams): HistorySearch {
  const filter = readOperatorFilter(query);
  // The groups show all reasons.
  const isGrouped = readView(query) === 'reasons';
  return { ...operatorSearch(isGrouped ? { ...filter, reason: '' } : filter, new Date()), ...sortOf(readSort(query)) };
}

/** Returns the title of the search panel; periods, owner and statuses have buttons of their own. */
function searchTitle(filter: OperatorFilter): string {
  const { name, schema, error } = filter;
  const count = conditionCount(filter) + [name, schema, error].filter((text) => text !== '').length;
  return count === 0 ? t('Search') : t('Search ({count})', { count });
}

function viewTabs(query: URLSearchParams, current: View) {
  return VIEWS.map((view) => {
    const next = new URLSearchParams(query);
    if (view === 'list') next.delete('view');
    else next.set('view', view);
    return {
      text: VIEW_TEXTS[view],
      to: { search: next.toString() },
      current: view === current ? ('page' as const) : undefined,
    };
  });
}

interface ActionsProps {
  query: URLSearchParams;
  filter: OperatorFilter;
  changeFilter: ChangeFilter;
}

function Actions({ query, filter, changeFilter }: ActionsProps) {
  const [, changeAddress] = useAddressValues();
  return (
    <>
      <StatusFilter
        chosen={filter.statuses}
        onChange={(to) => changeFilter((present) => ({ ...present, statuses: to(present.statuses) }))}
      />
      <SavedSearches
        activityId={null}
        search={savedView(query)}
        presentSearch={() => savedView(presentValues())}
        onOpen={(saved) => changeAddress(() => new URLSearchParams(saved))}
      />
      <ExportButton exportRuns={() => call(exportHistory, { body: searchIn(presentValues()) })} />
    </>
  );
}

/** Returns the search, its order and the view as they are written in the page's address. */
function savedView(query: URLSearchParams): string {
  const view = readView(query);
  const begin = new URLSearchParams(view === 'list' ? {} : { view });
  return writeSort(writeOperatorFilter(begin, readOperatorFilter(query)), readSort(query)).toString();
}
