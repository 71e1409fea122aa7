import { Button } from '@blueprintjs/core';
import { useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import { runHistory, type History, type HistoryRun, type HistorySearch } from '#shared/contract/run-history.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { useDensity } from '#renderer/ui/density.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridSort } from '#renderer/ui/grid/grid-model.ts';
import type { ChangeFilter } from '#renderer/ui/history/history-filter.ts';
import { useRunPages } from '#renderer/ui/history/use-run-pages.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { MoreButton } from '#renderer/ui/LoadMore.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { HistoryPlot } from '../history/HistoryPlot.tsx';
import { skippedText } from '../history/history-sorting.ts';
import { useChosenRuns } from '../history/use-chosen-runs.ts';
import { operatorColumns } from './operator-columns.tsx';
import { PickedRuns } from './PickedRuns.tsx';
import { useRowsInView } from './use-rows-in-view.ts';

/** Rows per page: more than fit into most windows, so that the first page fills them. */
const PAGE_ROWS = 40;

interface RunListProps {
  search: HistorySearch;
  sort: GridSort | null;
  onSort: (sort: GridSort | null) => void;
  isNarrowed: boolean;
  change: ChangeFilter;
  onClear: () => void;
}

/** The runs that the search finds, newest first, with ticks for what is done with several of them. */
export function RunList({ search, sort, onSort, isNarrowed, change, onClear }: RunListProps) {
  const history = useRunPages<History>([...keyOf(runHistory), search], (PrevRunId, options) =>
    call(runHistory, { ...options, body: { ...search, ApproxRows: PAGE_ROWS, PrevRunId } }),
  );
  const { chosen, setChosen, choose } = useChosenRuns();
  const pages = history.data?.pages;
  const runs = useMemo(() => pages?.flatMap((page) => page.Runs) ?? [], [pages]);
  const columns = useColumns(chosen, choose, change);
  const maxRows = useRowsInView();
  const isCompact = useDensity(({ density }) => density === 'compact');
  if (!pages) {
    return history.error ? (
      <>
        <FailureState error={history.error} onRetry={() => void history.refetch()} />
        {sort && <Button text={t('Show the newest first')} onClick={() => onSort(null)} />}
      </>
    ) : (
      <Skeleton kind="grid" />
    );
  }
  const skipped = skippedText(sort, columns.find(({ key }) => key === sort?.key)?.title ?? '');
  return (
    <>
      {runs.length > 0 && (
        <PickedRuns
          runs={runs}
          chosen={runs.filter(({ Id }) => chosen.has(Id))}
          onChoose={(ids) => setChosen(new Set(ids))}
        />
      )}
      {skipped !== '' && <p className="rs-muted">{skipped}</p>}
      <DataGrid
        label={t('Runs of {label}', { label: t('all activities') })}
        rows={runs}
        columns={columns}
        empty={isNarrowed ? t('No runs match the search') : t('No results to display')}
        emptyAction={
          isNarrowed ? (
            <Button text={t('Clear search')} onClick={onClear} />
          ) : (
            <LinkButton to="/activities/" text={t('Choose an activity')} />
          )
        }
        maxRows={maxRows}
        isSorted
        sort={sort}
        onSortChange={onSort}
        more={history}
      />
      <MoreButton query={history} />
      <HistoryPlot
        label={t('runs of {label}', { label: t('all activities') })}
        runs={runs}
        hasMore={history.hasNextPage}
        search={search}
        change={change}
        isInitiallyOpen={!isCompact}
      />
    </>
  );
}

function useColumns(chosen: ReadonlySet<number>, choose: (run: HistoryRun) => void, change: ChangeFilter) {
  const navigate = useNavigate();
  return useMemo(
    () =>
      operatorColumns({
        chosen,
        open: (run) => void navigate(`/activities/runstatus/${run.Id}/`),
        choose,
        findPerson: (by) => change((filter) => ({ ...filter, by })),
        // Values are shown only in the history of a single activity.
        findValue: () => undefined,
      }),
    [chosen, navigate, choose, change],
  );
}
