import { Button } from '@blueprintjs/core';
import { useMemo } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import {
  checklistHistory,
  exportChecklistHistory,
  type ChecklistHistory,
  type ChecklistHistoryRun,
  type ChecklistHistorySearch,
} from '#shared/contract/checklist-runs.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { ExportButton } from '#renderer/ui/history/ExportButton.tsx';
import {
  conditionCount,
  readFilter,
  searchOf,
  searchTitle,
  writeFilter,
  type HistoryFilter,
  type SearchedParameter,
} from '#renderer/ui/history/history-filter.ts';
import { HistorySearchForm } from '#renderer/ui/history/HistorySearchForm.tsx';
import { MissingHistory } from '#renderer/ui/history/HistoryStates.tsx';
import { StatusFilter } from '#renderer/ui/history/StatusFilter.tsx';
import { useRunPages } from '#renderer/ui/history/use-run-pages.ts';
import { Panel } from '#renderer/ui/Panel.tsx';
import { singleText } from '#renderer/ui/values/output-values.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { MoreButton, type FurtherPages } from '#renderer/ui/LoadMore.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { StatusTag, statusText } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { presentValues, useAddressValues } from '#renderer/ui/use-address-values.ts';
import { checklistMenu, runPath, runStatusPath } from './checklist-menu.tsx';

/**
 * Approximate rows per page, visible rows, and maximum column width. Source: specification of activities, section 9.
 */
const PAGE_ROWS = 20;
const ROWS_SHOWN = 20;
const WIDEST_COLUMN = 800;

/** The inputs and outputs of single runs cannot be searched here. */
const NO_PARAMETERS: readonly SearchedParameter[] = [];

/** /checklists/runhistory/{id}/ */
export function ChecklistHistoryPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <HistoryOf key={id} id={id} /> : <NotFoundPage />;
}

function HistoryOf({ id }: { id: number }) {
  const [query, changeAddress] = useAddressValues();
  const filter = readFilter(query);
  const search = searchOfChecklist(id, filter);
  const change = (to: (present: HistoryFilter) => HistoryFilter): void =>
    changeAddress((present) => writeFilter(present, to(readFilter(present))));
  const history = useHistory(search);
  const pages = history.data?.pages;
  const checklist = pages?.[0]?.Checklist;
  if (!pages || !checklist) {
    return <MissingHistory title={t('Checklist')} error={history.error} onRetry={() => void history.refetch()} />;
  }
  return (
    <Page
      title={t('Checklist - {name}', { name: checklist.Name })}
      menu={checklistMenu(checklist, 'Run Now', ['runs'])}
      actions={
        <>
          <StatusFilter
            chosen={filter.statuses}
            onChange={(to) => change((present) => ({ ...present, statuses: to(present.statuses) }))}
          />
          <ExportButton
            exportRuns={() =>
              call(exportChecklistHistory, { body: searchOfChecklist(id, readFilter(presentValues())) })
            }
          />
        </>
      }
    >
      <Panel title={searchTitle(filter)} name="search" isInitiallyOpen={false}>
        <HistorySearchForm
          filter={filter}
          parameters={NO_PARAMETERS}
          onSearch={(next) => change(({ statuses }) => ({ ...next, statuses }))}
        />
      </Panel>
      <Runs
        pages={pages}
        checklist={checklist}
        isFiltered={filter.statuses.length + conditionCount(filter) > 0}
        history={history}
        onClear={() => changeAddress(() => new URLSearchParams())}
      />
      <MoreButton query={history} />
    </Page>
  );
}

function searchOfChecklist(ChecklistId: number, filter: HistoryFilter): ChecklistHistorySearch {
  const { ActivityId: _, ...conditions } = searchOf(null, filter);
  return { ...conditions, ChecklistId };
}

function useHistory(search: ChecklistHistorySearch) {
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
  history: FurtherPages;
  onClear: () => void;
}

function Runs({ pages, checklist, isFiltered, history, onClear }: RunsProps) {
  const navigate = useNavigate();
  const runs = useMemo(() => pages.flatMap((page) => page.Runs), [pages]);
  const columns = useMemo(() => historyColumns(checklist, (run) => void navigate(pathOf(run))), [checklist, navigate]);
  return (
    <DataGrid
      label={t('Runs of {name}', { name: checklist.Name })}
      rows={runs}
      columns={columns}
      empty={isFiltered ? t('No runs match the search') : t('No results to display')}
      emptyAction={
        isFiltered ? (
          <Button text={t('Show all runs')} onClick={onClear} />
        ) : (
          <LinkButton to={runPath(checklist.Id, checklist.IsWorkflow)} text={t('Run Now')} />
        )
      }
      maxRows={ROWS_SHOWN}
      maxColumnWidth={WIDEST_COLUMN}
      sortable={false}
      more={history}
    />
  );
}

const pathOf = ({ Id, IsWorkflow }: ChecklistHistoryRun): string => runStatusPath(Id, IsWorkflow);

type Column = GridColumn<ChecklistHistoryRun>;

function historyColumns(
  { Inputs, Outputs, IsWorkflow }: ChecklistHistory['Checklist'],
  open: (run: ChecklistHistoryRun) => void,
): Column[] {
  const leading: Column[] = [
    {
      key: 'Status',
      title: t('Status'),
      hasIcon: true,
      text: ({ Status }) => statusText(Status),
      render: ({ Status }) => <StatusTag status={Status} />,
      onClick: open,
      to: pathOf,
    },
    {
      key: 'QueueTime',
      title: t('Run on'),
      text: ({ QueueTime }) => formatDayTime(QueueTime),
      render: ({ QueueTime }) => <DateText value={QueueTime} />,
      onClick: open,
      to: pathOf,
    },
    { key: 'UserFullName', title: t('Run By'), text: ({ UserFullName }) => UserFullName },
  ];
  const version: Column = {
    key: 'ActivityVersion',
    title: t('Version'),
    align: 'right',
    text: (run) => (run.IsWorkflow ? String(run.ActivityVersion) : ''),
  };
  return [
    ...leading,
    ...(IsWorkflow ? [version] : []),
    ...Inputs.map(inputColumn),
    ...Outputs.map((column) => outputColumn(column, Outputs)),
  ];
}

type HistoryValue = Omit<ChecklistHistoryRun['Outputs'][number], 'StepKey'>;
type Info = ChecklistHistory['Checklist']['Inputs' | 'Outputs'][number]['Info'];

const alignOf = (info: Info): 'left' | 'right' =>
  info.RangeType === 'SingleCell' && ['Number', 'Date'].includes(info.CellUsages[0] ?? '') ? 'right' : 'left';

function shownText(values: readonly HistoryValue[], info: Info): string {
  return values
    .map(({ FileName, Rows, Value }) => {
      if (FileName !== null) return FileName;
      if (Rows !== null) return t('{rows, plural, one {1 row} other {# rows}}', { rows: Rows });
      return singleText(Value, info);
    })
    .join(', ');
}

function inputColumn({ InputId, InputName, Info }: ChecklistHistory['Checklist']['Inputs'][number]): Column {
  return {
    key: `Inputs${InputId}`,
    title: InputName,
    tone: 'input',
    align: alignOf(Info),
    text: (run) =>
      shownText(
        run.Inputs.filter(({ ChecklistInputName }) => ChecklistInputName === InputName),
        Info,
      ),
  };
}

type OutputColumn = ChecklistHistory['Checklist']['Outputs'][number];

/** Returns the column of an output. Its title includes the step if other steps have an output of the same name. */
function outputColumn(
  { StepKey, StepName, OutputId, OutputName, Info }: OutputColumn,
  all: readonly OutputColumn[],
): Column {
  const isUnique = all.filter((column) => column.OutputName === OutputName).length === 1;
  return {
    key: `Outputs${StepKey} ${OutputId}`,
    title: isUnique ? OutputName : `${StepName}: ${OutputName}`,
    tone: 'output',
    align: alignOf(Info),
    text: (run) =>
      shownText(
        run.Outputs.filter((value) => value.StepKey === StepKey && value.ActivityParameterId === OutputId),
        Info,
      ),
  };
}
