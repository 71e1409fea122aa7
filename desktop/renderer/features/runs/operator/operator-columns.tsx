import type { HistoryRun } from '#shared/contract/run-history.ts';
import { said, t } from '#renderer/language/translate.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { chooseColumn, historyColumns, type HistoryActions } from '../history/history-columns.tsx';

const reasonOf = ({ Reason }: HistoryRun): string => said(Reason ?? '').replaceAll(/\s+/g, ' ');

const REASON: GridColumn<HistoryRun> = {
  key: 'Reason',
  title: t('Reason'),
  text: reasonOf,
  render: (run) => <span dir="auto">{reasonOf(run)}</span>,
  sortable: false,
  givesWayTo: 240,
};

/** The columns of a history of all activities, with a tick for each run and the reason of its failure. */
export function operatorColumns(actions: HistoryActions): GridColumn<HistoryRun>[] {
  const columns = historyColumns(null, actions);
  const place = columns.findIndex(({ key }) => key === 'Name') + 1;
  return [chooseColumn(actions), ...columns.toSpliced(place, 0, { ...REASON, onClick: actions.open })];
}
