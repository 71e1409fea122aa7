import { useCallback, useMemo } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { checklistHistory, type ChecklistHistory, type ChecklistHistoryRun } from '#shared/contract/checklist-runs.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { LoadMore, MissingHistory } from '#renderer/features/runs/history/HistoryStates.tsx';
import { readStatuses, writeStatuses } from '#renderer/features/runs/history/status-filter.ts';
import { StatusFilter } from '#renderer/features/runs/history/StatusFilter.tsx';
import { useRunPages } from '#renderer/features/runs/history/use-run-pages.ts';
import { singleText } from '#renderer/features/runs/status/output-values.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { StatusTag, statusText } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { checklistMenu, runStatusPath } from './checklist-menu.tsx';

/** About so many rows a page, rows on view, and the widest column; source: specification of activities, section 9. */
const PAGE_ROWS = 20;
const ROWS_SHOWN = 20;
const WIDEST_COLUMN = 800;

/** /checklists/runhistory/{id}/ */
export function ChecklistHistoryPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <HistoryOf key={id} id={id} /> : <NotFoundPage />;
}

function HistoryOf({ id }: { id: number }) {
  const [query, setQuery] = useSearchParams();
  const statuses = readStatuses(query);
  const history = useHistory(id, statuses);
  const pages = history.data?.pages;
  const checklist = pages?.[0]?.Checklist;
  const { fetchNextPage } = history;
  const onLoadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (!pages || !checklist) {
    return <MissingHistory title="Checklist" error={history.error} onRetry={() => void history.refetch()} />;
  }
  return (
    <Page
      title={`Checklist - ${checklist.Name}`}
      menu={checklistMenu(checklist, 'Run Now', ['runs'])}
      actions={
        <StatusFilter
          chosen={statuses}
          onChange={(chosen) => setQuery(writeStatuses(query, chosen), { replace: true })}
        />
      }
    >
      <Runs
        pages={pages}
        checklist={checklist}
        isFiltered={statuses.length > 0}
        history={history}
        onLoadMore={onLoadMore}
      />
      <LoadMore hasMore={history.hasNextPage} isLoading={history.isFetchingNextPage} onLoadMore={onLoadMore} />
    </Page>
  );
}

function useHistory(ChecklistId: number, statuses: RunStatus[]) {
  const search = { ChecklistId, ...(statuses.length > 0 ? { Statuses: statuses } : {}) };
  return useRunPages<ChecklistHistory>([...keyOf(checklistHistory), search], (PrevRunId, options) =>
    call(checklistHistory, {
      ...options,
      body: { ...search, ApproxRows: PAGE_ROWS, PrevRunId, FetchWorkflowRuns: true },
    }),
  );
}

interface RunsProps {
  pages: readonly ChecklistHistory[];
  checklist: ChecklistHistory['Checklist'];
  isFiltered: boolean;
  history: { hasNextPage: boolean; isFetchingNextPage: boolean };
  onLoadMore: () => void;
}

function Runs({ pages, checklist, isFiltered, history, onLoadMore }: RunsProps) {
  const navigate = useNavigate();
  const runs = useMemo(() => pages.flatMap((page) => page.Runs), [pages]);
  const columns = useMemo(() => historyColumns(checklist, (run) => void navigate(pathOf(run))), [checklist, navigate]);
  return (
    <DataGrid
      label={`Runs of ${checklist.Name}`}
      rows={runs}
      columns={columns}
      empty={isFiltered ? 'No runs match the search' : 'No results to display'}
      maxRows={ROWS_SHOWN}
      maxColumnWidth={WIDEST_COLUMN}
      sortable={false}
      hasMore={history.hasNextPage}
      isLoadingMore={history.isFetchingNextPage}
      onLoadMore={onLoadMore}
    />
  );
}

const pathOf = ({ Id, IsWorkflow }: ChecklistHistoryRun): string => runStatusPath(Id, IsWorkflow);

type Column = GridColumn<ChecklistHistoryRun>;

function historyColumns(
  { Inputs, IsWorkflow }: ChecklistHistory['Checklist'],
  open: (run: ChecklistHistoryRun) => void,
): Column[] {
  const leading: Column[] = [
    {
      key: 'Status',
      title: 'Status',
      text: ({ Status }) => statusText(Status),
      render: ({ Status }) => <StatusTag status={Status} />,
      onClick: open,
      to: pathOf,
    },
    {
      key: 'QueueTime',
      title: 'Run on',
      text: ({ QueueTime }) => formatDayTime(QueueTime),
      render: ({ QueueTime }) => <DateText value={QueueTime} />,
      onClick: open,
      to: pathOf,
    },
    { key: 'UserFullName', title: 'Run By', text: ({ UserFullName }) => UserFullName },
  ];
  const version: Column = {
    key: 'ActivityVersion',
    title: 'Version',
    align: 'right',
    text: (run) => (run.IsWorkflow ? String(run.ActivityVersion) : ''),
  };
  return [...leading, ...(IsWorkflow ? [version] : []), ...Inputs.map(inputColumn)];
}

function inputColumn({ InputId, InputName, Info }: ChecklistHistory['Checklist']['Inputs'][number]): Column {
  const isNumber = Info.RangeType === 'SingleCell' && ['Number', 'Date'].includes(Info.CellUsages[0] ?? '');
  return {
    key: `Inputs${InputId}`,
    title: InputName,
    tone: 'input',
    align: isNumber ? 'right' : 'left',
    text: (run) => {
      const value = run.Inputs.find(({ ChecklistInputName }) => ChecklistInputName === InputName);
      if (!value) return '';
      if (value.FileName !== null) return value.FileName;
      if (value.Rows !== null) return value.Rows === 1 ? '1 row' : `${value.Rows} rows`;
      return singleText(value.Value, Info);
    },
  };
}
