import { Button } from '@blueprintjs/core';
import type { HistoryRun, History } from '#shared/contract/run-history.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { singleText } from '#renderer/features/runs/status/output-values.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { StatusTag, statusText } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';

type Activity = NonNullable<History['Activity']>;

export interface HistoryActions {
  open: (run: HistoryRun) => void;
  /** The first of two runs to be compared, once it is chosen. */
  compared: number | null;
  compare: (run: HistoryRun) => void;
}

const pathOf = ({ Id }: HistoryRun): string => `/activities/runstatus/${Id}/`;

/** Columns of a history: of all activities with their names, of one with its version, inputs and outputs. */
export function historyColumns(
  activity: Activity | null,
  { open, compared, compare }: HistoryActions,
): GridColumn<HistoryRun>[] {
  return [
    {
      key: 'Status',
      title: 'Status',
      text: (run) => statusText(run.Status),
      render: (run) => <StatusTag status={run.Status} />,
      onClick: open,
      to: pathOf,
    },
    {
      key: 'QueueTime',
      title: 'Run on',
      text: (run) => formatDayTime(run.QueueTime),
      render: (run) => <DateText value={run.QueueTime} />,
      onClick: open,
      to: pathOf,
    },
    ...(activity ? [] : [{ key: 'Name', title: 'Name', text: (run: HistoryRun) => run.Name }]),
    { key: 'UserFullName', title: 'Run By', text: (run) => run.UserFullName },
    ...(activity?.Type === 'StoredProcedure' ? [] : [versionColumn]),
    ...(activity?.Inputs ?? []).map((input) => valueColumn('Inputs', input)),
    ...(activity?.Outputs ?? []).map((output) => valueColumn('Outputs', output)),
    ...(activity ? [compareColumn(compared, compare)] : []),
  ];
}

/** The run first chosen is let go by its own button; that of any other shows both. */
function compareColumn(compared: number | null, compare: HistoryActions['compare']): GridColumn<HistoryRun> {
  const textOf = ({ Id }: HistoryRun): string =>
    compared === null ? 'Compare' : compared === Id ? 'Chosen' : 'With this';
  return {
    key: 'Compare',
    title: 'Compare',
    isActions: true,
    width: 110,
    text: textOf,
    render: (run) => (
      <Button
        size="small"
        variant="minimal"
        active={compared === run.Id}
        text={textOf(run)}
        aria-label={`${textOf(run)}: run of ${formatDayTime(run.QueueTime, true)}`}
        onClick={() => compare(run)}
      />
    ),
  };
}

const versionColumn: GridColumn<HistoryRun> = {
  key: 'ActivityVersion',
  title: 'Version',
  align: 'right',
  text: (run) => String(run.ActivityVersion),
};

function valueColumn(
  kind: 'Inputs' | 'Outputs',
  { Id, Name, Info }: { Id: number; Name: string; Info: InputInfo | OutputInfo },
): GridColumn<HistoryRun> {
  const isNumber = Info.RangeType === 'SingleCell' && ['Number', 'Date'].includes(Info.CellUsages[0] ?? '');
  return {
    key: `${kind}${Id}`,
    title: Name,
    tone: kind === 'Inputs' ? 'input' : 'output',
    align: isNumber ? 'right' : 'left',
    text: (run) => {
      const value = run[kind].find((candidate) => candidate.ActivityParameterId === Id);
      if (!value) return '';
      if (value.FileName !== null) return value.FileName;
      if (value.Rows !== null) return value.Rows === 1 ? '1 row' : `${value.Rows} rows`;
      return singleText(value.Value, Info);
    },
  };
}
