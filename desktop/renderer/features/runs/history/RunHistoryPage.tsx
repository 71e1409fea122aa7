import { Button } from '@blueprintjs/core';
import { Changes, Document, Edit, Play, TimelineLineChart } from '@blueprintjs/icons';
import { useCallback, useMemo } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { isSingleNumber } from '#shared/codecs/input-form.ts';
import {
  exportHistory,
  runHistory,
  type History,
  type HistoryRun,
  type HistorySearch,
} from '#shared/contract/run-history.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { Panel } from '#renderer/ui/Panel.tsx';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridSort } from '#renderer/ui/grid/grid-model.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { MoreButton, type FurtherPages } from '#renderer/ui/LoadMore.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { presentValues, useAddressValues } from '#renderer/ui/use-address-values.ts';
import { ChosenRuns } from './ChosenRuns.tsx';
import { ExportButton } from '#renderer/ui/history/ExportButton.tsx';
import { historyColumns } from './history-columns.tsx';
import {
  conditionCount,
  readFilter,
  searchedParameters,
  searchOf,
  searchTitle,
  writeFilter,
  type ChangeFilter,
  type HistoryFilter,
} from '#renderer/ui/history/history-filter.ts';
import { HistoryPlot } from './HistoryPlot.tsx';
import { HistorySearchForm } from '#renderer/ui/history/HistorySearchForm.tsx';
import { skippedText, readSort, sortOf, writeSort } from './history-sorting.ts';
import { MissingHistory } from '#renderer/ui/history/HistoryStates.tsx';
import { SavedSearches } from './SavedSearches.tsx';
import { StatusFilter } from '#renderer/ui/history/StatusFilter.tsx';
import { useRunPages } from '#renderer/ui/history/use-run-pages.ts';
import { useChosenRuns } from './use-chosen-runs.ts';
import { withCondition } from './value-click.ts';
import './run-history.css';

/** Approximate rows per page. Source: specification of activities, section 9. */
const PAGE_ROWS = 20;
/** Visible rows; more rows scroll inside the grid. */
const ROWS_SHOWN = 16;

/**
 * /activities/runhistory/{id}, and /activities/runhistory/{id}/{linkId} for runs that a link started. The history of all
 * activities is OperatorPage.
 */
export function RunHistoryPage() {
  const { id, linkId: link } = useParams();
  const activityId = Number(id);
  const linkId = link === undefined ? null : Number(link);
  const isValid = [activityId, linkId].every((one) => one === null || (Number.isSafeInteger(one) && one > 0));
  if (!isValid) return <NotFoundPage />;
  return <HistoryOf key={`${activityId}:${linkId}`} activityId={activityId} linkId={linkId} />;
}

function HistoryOf({ activityId, linkId }: { activityId: number; linkId: number | null }) {
  const [query, changeAddress] = useAddressValues();
  const filter = readFilter(query);
  const sort = readSort(query);
  const searchIn = (values: URLSearchParams): HistorySearch => ({
    ...searchOf(activityId, readFilter(values)),
    ...(linkId === null ? {} : { LinkId: linkId }),
    ...sortOf(readSort(values)),
  });
  const search = searchIn(query);
  const history = useHistory(search);
  const pages = history.data?.pages;
  const activity = pages?.[0]?.Activity ?? null;
  const change: ChangeFilter = useCallback(
    (to) => changeAddress((present) => writeFilter(present, to(readFilter(present)))),
    [changeAddress],
  );
  const setSort = (next: GridSort | null): void => changeAddress((present) => writeSort(present, next));
  const title = activity ? t('Activity History - {name}', { name: activity.Name }) : '';
  if (!pages) {
    return (
      <MissingHistory
        title={title || t('Activity History')}
        error={history.error}
        onRetry={() => void history.refetch()}
        onUnsort={sort && (() => setSort(null))}
      />
    );
  }
  return (
    <Page
      title={title}
      menu={activity ? menuOf(activity, addressOf(filter)) : []}
      description={linkText(pages[0]?.LinkName)}
      actions={
        <>
          <StatusFilter
            chosen={filter.statuses}
            onChange={(to) => change((present) => ({ ...present, statuses: to(present.statuses) }))}
          />
          {linkId === null && (
            <SavedSearches
              activityId={activityId}
              search={savedSearch(query)}
              presentSearch={() => savedSearch(presentValues())}
              onOpen={(saved) => changeAddress(() => new URLSearchParams(saved))}
            />
          )}
          <ExportButton exportRuns={() => call(exportHistory, { body: searchIn(presentValues()) })} />
        </>
      }
    >
      <Panel title={searchTitle(filter)} name="search" isInitiallyOpen={false}>
        <HistorySearchForm
          key={JSON.stringify([filter.by, filter.from, filter.to, filter.values])}
          filter={filter}
          parameters={searchedParameters(activity)}
          onSearch={(next) => change(({ statuses }) => ({ ...next, statuses }))}
        />
      </Panel>
      <Runs
        label={activity?.Name ?? ''}
        pages={pages}
        activity={activity}
        isFiltered={filter.statuses.length + conditionCount(filter) > 0}
        change={change}
        sort={sort}
        onSort={setSort}
        search={search}
        history={history}
      />
    </Page>
  );
}

function NoRunsAction({ isFiltered, activity }: { isFiltered: boolean; activity: History['Activity'] }) {
  const [, changeAddress] = useAddressValues();
  if (isFiltered) return <Button text={t('Clear search')} onClick={() => changeAddress(() => new URLSearchParams())} />;
  return activity && <LinkButton to={`/activities/${activity.Id}/`} text={t('Go to the activity')} />;
}

/** Returns the search and its order as they are written in the page's address. */
const savedSearch = (values: URLSearchParams): string =>
  writeSort(writeFilter(new URLSearchParams(), readFilter(values)), readSort(values)).toString();

const addressOf = (filter: HistoryFilter): string => {
  const query = writeFilter(new URLSearchParams(), filter).toString();
  return query === '' ? '' : `?${query}`;
};

const linkText = (name: string | null | undefined): string =>
  name ? t('Runs started by the linkage {name}', { name }) : '';

const useHistory = (search: HistorySearch) =>
  useRunPages<History>([...keyOf(runHistory), search], (PrevRunId, options) =>
    call(runHistory, { ...options, body: { ...search, ApproxRows: PAGE_ROWS, PrevRunId } }),
  );

interface RunsProps {
  label: string;
  pages: History[];
  activity: History['Activity'];
  isFiltered: boolean;
  change: ChangeFilter;
  sort: GridSort | null;
  onSort: (sort: GridSort | null) => void;
  search: HistorySearch;
  history: FurtherPages;
}

function Runs({ label, pages, activity, history, ...props }: RunsProps) {
  const { isFiltered, change, sort, onSort, search } = props;
  const runs = useMemo(() => pages.flatMap((page) => page.Runs), [pages]);
  const { chosen, setChosen, choose } = useChosenRuns();
  const columns = useHistoryColumns(activity, chosen, { choose, change });
  const sorted = columns.find(({ key }) => key === sort?.key)?.title ?? '';
  return (
    <>
      <HistoryPlot
        label={t('runs of {label}', { label })}
        runs={runs}
        hasMore={history.hasNextPage}
        search={search}
        change={change}
      />
      {activity && runs.length > 0 && (
        <ChosenRuns
          activity={activity}
          chosen={runs.filter(({ Id }) => chosen.has(Id))}
          onNone={() => setChosen(new Set())}
        />
      )}
      {skippedText(sort, sorted) !== '' && <p className="rs-muted">{skippedText(sort, sorted)}</p>}
      <DataGrid
        label={t('Runs of {label}', { label })}
        rows={runs}
        columns={columns}
        empty={isFiltered ? t('No runs match the search') : t('No results to display')}
        emptyAction={<NoRunsAction isFiltered={isFiltered} activity={activity} />}
        maxRows={ROWS_SHOWN}
        isSorted
        sort={sort}
        onSortChange={onSort}
        more={history}
      />
      <MoreButton query={history} />
    </>
  );
}

function useHistoryColumns(
  activity: History['Activity'],
  chosen: ReadonlySet<number>,
  { choose, change }: { choose: (run: HistoryRun) => void; change: ChangeFilter },
) {
  const navigate = useNavigate();
  return useMemo(
    () =>
      historyColumns(activity, {
        chosen,
        open: (run) => void navigate(`/activities/runstatus/${run.Id}/`),
        choose,
        findPerson: (by) => change((filter) => ({ ...filter, by })),
        findValue: (condition) => change((filter) => ({ ...filter, values: withCondition(filter.values, condition) })),
      }),
    [activity, chosen, navigate, choose, change],
  );
}

/** @param search search as in the address, with a leading question mark */
const menuOf = (activity: NonNullable<History['Activity']>, search: string): (MenuEntry | false)[] => [
  activity.CanRun && { text: t('Run Now'), icon: <Play />, to: `/activities/run/${activity.Id}/` },
  activity.LastRunId !== null && {
    text: t('View Last Run'),
    icon: <Document />,
    to: `/activities/runstatus/${activity.LastRunId}/`,
  },
  activity.Type === 'Workbook' && {
    text: t('View All Versions'),
    icon: <Changes />,
    to: `/activities/versions/${activity.Id}/`,
  },
  activity.CanEdit && { text: t('Edit'), icon: <Edit />, to: `/activities/edit/${activity.Id}/` },
  ...followedOutputs(activity).map(({ Id, Name }) => ({
    text: t('Follow {name}', { name: Name }),
    icon: <TimelineLineChart />,
    to: `/activities/follow/${activity.Id}/${Id}${search}`,
  })),
];

/** A longer menu would be unusable. */
const MAX_FOLLOWED_OUTPUTS = 8;

const followedOutputs = ({ Outputs }: NonNullable<History['Activity']>) =>
  Outputs.filter(({ Info }) => isSingleNumber(Info)).slice(0, MAX_FOLLOWED_OUTPUTS);
