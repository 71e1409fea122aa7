import { Changes, Document, Edit, Play } from '@blueprintjs/icons';
import { useCallback, useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
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
import { Panel } from '#renderer/features/runs/status/Panel.tsx';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { durationPoints } from './duration-plot.ts';
import { DurationPlot } from './DurationPlot.tsx';
import { ExportButton } from './ExportButton.tsx';
import { historyColumns } from './history-columns.tsx';
import {
  conditionCount,
  readFilter,
  searchedParameters,
  searchOf,
  searchTitle,
  writeFilter,
  type HistoryFilter,
} from './history-filter.ts';
import { HistorySearchForm } from './HistorySearchForm.tsx';
import { LoadMore, MissingHistory } from './HistoryStates.tsx';
import { StatusFilter } from './StatusFilter.tsx';
import { useRunPages } from './use-run-pages.ts';
import './run-history.css';

/** About so many rows a page; source: specification of activities, section 9. */
const PAGE_ROWS = 20;
/** Rows on view before the grid scrolls inside itself. */
const ROWS_SHOWN = 16;

/** /activities/runhistory, /activities/runhistory/{id} and, of the runs that a link started, /activities/runhistory/{id}/{linkId} */
export function RunHistoryPage() {
  const { id, linkId: link } = useParams();
  const activityId = id === undefined ? null : Number(id);
  const linkId = link === undefined ? null : Number(link);
  const isValid = [activityId, linkId].every((one) => one === null || (Number.isSafeInteger(one) && one > 0));
  return isValid ? (
    <HistoryOf key={`${activityId}:${linkId}`} activityId={activityId} linkId={linkId} />
  ) : (
    <NotFoundPage />
  );
}

function HistoryOf({ activityId, linkId }: { activityId: number | null; linkId: number | null }) {
  const [query, setQuery] = useSearchParams();
  const filter = readFilter(query);
  const search = { ...searchOf(activityId, filter), ...(linkId === null ? {} : { LinkId: linkId }) };
  const history = useHistory(search);
  const pages = history.data?.pages;
  const activity = pages?.[0]?.Activity ?? null;
  const setFilter = (next: HistoryFilter): void => setQuery(writeFilter(query, next), { replace: true });
  const title = activityId === null ? 'Activity History' : activity ? `Activity History - ${activity.Name}` : '';
  if (!pages) {
    return (
      <MissingHistory
        title={title || 'Activity History'}
        error={history.error}
        onRetry={() => void history.refetch()}
      />
    );
  }
  return (
    <Page
      title={title}
      menu={activity ? menuOf(activity) : []}
      description={linkText(pages[0]?.LinkName)}
      actions={
        <>
          <StatusFilter chosen={filter.statuses} onChange={(statuses) => setFilter({ ...filter, statuses })} />
          <ExportButton exportRuns={() => call(exportHistory, { body: search })} />
        </>
      }
    >
      <Panel title={searchTitle(filter)} name="search" isInitiallyOpen={false}>
        <HistorySearchForm filter={filter} parameters={searchedParameters(activity)} onSearch={setFilter} />
      </Panel>
      <Runs
        label={activity?.Name ?? 'all activities'}
        pages={pages}
        activity={activity}
        isFiltered={filter.statuses.length + conditionCount(filter) > 0}
        hasMore={history.hasNextPage}
        isLoadingMore={history.isFetchingNextPage}
        loadMore={history.fetchNextPage}
      />
    </Page>
  );
}

const linkText = (name: string | null | undefined): string => (name ? `Runs started by the linkage ${name}` : '');

const useHistory = (search: HistorySearch) =>
  useRunPages<History>([...keyOf(runHistory), search], (PrevRunId, options) =>
    call(runHistory, { ...options, body: { ...search, ApproxRows: PAGE_ROWS, PrevRunId } }),
  );

interface RunsProps {
  label: string;
  pages: History[];
  activity: History['Activity'];
  isFiltered: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => Promise<unknown>;
}

function Runs({ label, pages, activity, isFiltered, hasMore, isLoadingMore, loadMore }: RunsProps) {
  const navigate = useNavigate();
  const runs = useMemo(() => pages.flatMap((page) => page.Runs), [pages]);
  const points = useMemo(() => durationPoints(runs), [runs]);
  const open = useCallback((run: HistoryRun) => void navigate(`/activities/runstatus/${run.Id}/`), [navigate]);
  const [compared, setCompared] = useState<number | null>(null);
  const columns = useMemo(() => {
    const compare = ({ Id }: HistoryRun): void => {
      if (compared === null || compared === Id) return setCompared(compared === null ? Id : null);
      // The older one at the left.
      void navigate(`/activities/runcompare/${Math.min(compared, Id)}/${Math.max(compared, Id)}`);
    };
    return historyColumns(activity, { open, compared, compare });
  }, [activity, open, compared, navigate]);
  const onLoadMore = useCallback(() => void loadMore(), [loadMore]);
  return (
    <>
      {points.length > 1 && (
        <Panel title="Durations and outcomes" name="plot" isInitiallyOpen>
          <DurationPlot label={`runs of ${label}`} points={points} />
        </Panel>
      )}
      <DataGrid
        label={`Runs of ${label}`}
        rows={runs}
        columns={columns}
        empty={isFiltered ? 'No runs match the search' : 'No results to display'}
        maxRows={ROWS_SHOWN}
        sortable={false}
        hasMore={hasMore}
        isLoadingMore={isLoadingMore}
        onLoadMore={onLoadMore}
      />
      <LoadMore hasMore={hasMore} isLoading={isLoadingMore} onLoadMore={onLoadMore} />
    </>
  );
}

const menuOf = (activity: NonNullable<History['Activity']>): (MenuEntry | false)[] => [
  activity.CanRun && { text: 'Run Now', icon: <Play />, to: `/activities/run/${activity.Id}/` },
  activity.LastRunId !== null && {
    text: 'View Last Run',
    icon: <Document />,
    to: `/activities/runstatus/${activity.LastRunId}/`,
  },
  activity.Type === 'Workbook' && {
    text: 'View All Versions',
    icon: <Changes />,
    to: `/activities/versions/${activity.Id}/`,
  },
  activity.CanEdit && { text: 'Edit', icon: <Edit />, to: `/activities/edit/${activity.Id}/` },
];
