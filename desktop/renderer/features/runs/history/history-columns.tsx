import { Checkbox } from '@blueprintjs/core';
import type { HistoryRun, History, ValueCondition } from '#shared/contract/run-history.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { isFileUsage } from '#shared/codecs/input-form.ts';
import { singleText } from '#renderer/ui/values/output-values.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { StatusTag, statusText } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { durationText } from './duration-plot.ts';
import { conditionOf } from './value-click.ts';

type Activity = NonNullable<History['Activity']>;

export interface HistoryActions {
  open: (run: HistoryRun) => void;
  /** Ids of the runs that are chosen for an action. */
  chosen: ReadonlySet<number>;
  choose: (run: HistoryRun) => void;
  findPerson: (name: string) => void;
  findValue: (condition: ValueCondition) => void;
}

const pathOf = ({ Id }: HistoryRun): string => `/activities/runstatus/${Id}/`;

/**
 * Returns the columns of a history. The history of all activities has their names; the history of one has its version,
 * inputs and outputs.
 */
export function historyColumns(activity: Activity | null, actions: HistoryActions): GridColumn<HistoryRun>[] {
  const { open, findPerson } = actions;
  return [
    {
      key: 'Status',
      title: t('Status'),
      hasIcon: true,
      text: (run) => statusText(run.Status),
      render: (run) => <StatusTag status={run.Status} />,
      onClick: open,
      to: pathOf,
    },
    {
      key: 'QueueTime',
      title: t('Run on'),
      text: (run) => formatDayTime(run.QueueTime),
      render: (run) => <DateText value={run.QueueTime} />,
      onClick: open,
      to: pathOf,
    },
    // Visible on small screens too.
    ...(activity ? [chooseColumn(actions)] : []),
    ...(activity ? [] : [{ key: 'Name', title: t('Name'), text: (run: HistoryRun) => run.Name }]),
    {
      key: 'UserFullName',
      title: t('Run By'),
      text: (run) => run.UserFullName,
      onClick: (run) => findPerson(run.UserFullName),
      hint: (run) => t('Show the runs of {userFullName}', { userFullName: run.UserFullName }),
    },
    ...(activity?.Type === 'StoredProcedure' ? [] : [versionColumn]),
    durationColumn,
    numberColumn,
    ...(activity?.Inputs ?? []).map((input) => valueColumn('Inputs', input, actions)),
    ...(activity?.Outputs ?? []).map((output) => valueColumn('Outputs', output, actions)),
  ];
}

export function chooseColumn({ chosen, choose }: HistoryActions): GridColumn<HistoryRun> {
  return {
    key: 'Choose',
    title: t('Choose'),
    isActions: true,
    width: 80,
    text: (run) => (chosen.has(run.Id) ? 'chosen' : ''),
    render: (run) => (
      <Checkbox
        className="rs-history-choose"
        checked={chosen.has(run.Id)}
        aria-label={t('Choose run {id}', { id: run.Id })}
        onChange={() => choose(run)}
      />
    ),
  };
}

const versionColumn: GridColumn<HistoryRun> = {
  key: 'ActivityVersion',
  title: t('Version'),
  align: 'right',
  text: (run) => String(run.ActivityVersion),
};

const durationColumn: GridColumn<HistoryRun> = {
  key: 'Duration',
  title: t('Duration'),
  align: 'right',
  text: (run) => durationText(run),
};

const numberColumn: GridColumn<HistoryRun> = {
  key: 'Id',
  // The noun, which translates differently from the verb on buttons.
  title: t('Run {id}', { id: '' }).trim(),
  align: 'right',
  text: (run) => String(run.Id),
};

function valueColumn(
  kind: 'Inputs' | 'Outputs',
  { Id, Name, Info }: { Id: number; Name: string; Info: InputInfo | OutputInfo },
  { findValue }: HistoryActions,
): GridColumn<HistoryRun> {
  const isNumber = Info.RangeType === 'SingleCell' && ['Number', 'Date'].includes(Info.CellUsages[0] ?? '');
  const isTable = Info.RangeType !== 'SingleCell' && !isFileUsage(Info.CellUsages[0]);
  const valueOf = (run: HistoryRun) => run[kind].find((candidate) => candidate.ActivityParameterId === Id);
  const of = { Direction: kind === 'Inputs' ? 'input' : 'output', ActivityParameterId: Id } as const;
  const column: GridColumn<HistoryRun> = {
    key: `${kind}${Id}`,
    title: Name,
    tone: kind === 'Inputs' ? 'input' : 'output',
    align: isNumber ? 'right' : 'left',
    text: (run) => {
      const value = valueOf(run);
      if (!value) return '';
      if (value.FileName !== null) return value.FileName;
      if (value.Rows !== null) return t('{rows, plural, one {1 row} other {# rows}}', { rows: value.Rows });
      return singleText(value.Value, Info);
    },
  };
  if (isTable) return { ...column, sortable: false };
  return {
    ...column,
    onClick: (run) => {
      const condition = conditionOf(of, Info, valueOf(run));
      if (condition) findValue(condition);
    },
    hint: (run) => (conditionOf(of, Info, valueOf(run)) ? t('Show the runs with this {name}', { name: Name }) : ''),
  };
}
