import { Button, Checkbox } from '@blueprintjs/core';
import { EyeOpen, Stop } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { StatusTag, statusText } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import {
  canCancel,
  isApproval,
  isRetry,
  pendingKey,
  pendingPath,
  type CancellableRow,
  type PendingRow,
} from './pending-rows.ts';
import { waitsForText } from './waits-for.ts';

interface Actions {
  open: (run: PendingRow) => void;
  cancel: (run: CancellableRow) => void;
  /** The pendingKey of the row that is being cancelled. */
  busyKey: string | null;
  /** The pendingKeys of the rows that are ticked. */
  chosen: ReadonlySet<string>;
  choose: (run: CancellableRow) => void;
}

const statusOf = (run: PendingRow) => (isRetry(run) ? 'QueuedInSeq' : run.Status);
/** A retry has no run yet: it is sorted by the time when it will be queued. */
const timeOf = (run: PendingRow): string => (isRetry(run) ? run.Time : run.QueueTime);
const sourceOf = (run: PendingRow): string => (isRetry(run) ? t('Schedule') : (run.ChecklistName ?? ''));
const cancelledName = (run: CancellableRow): string => (isApproval(run) ? run.ChecklistName : run.Name);

export function pendingColumns(actions: Actions): GridColumn<PendingRow>[] {
  return [
    {
      key: 'Status',
      title: t('Status'),
      width: 190,
      text: (run) => statusText(statusOf(run)),
      render: (run) => <StatusTag status={statusOf(run)} />,
      to: pendingPath,
    },
    chooseColumn(actions),
    {
      key: 'QueueTime',
      title: t('Run on'),
      width: 150,
      text: (run) => formatDayTime(timeOf(run)),
      render: (run) => <DateText value={timeOf(run)} />,
      sortValue: timeOf,
    },
    { key: 'Schema', title: t('Schema'), text: (run) => run.Schema },
    { key: 'Name', title: t('Name'), text: (run) => run.Name },
    { key: 'UserFullName', title: t('Run By'), text: (run) => run.UserFullName },
    { key: 'ChecklistName', title: t('Source'), text: sourceOf },
    { key: 'WaitsFor', title: t('Waits for'), text: waitsForText, givesWayTo: 140 },
    actionsColumn(actions),
  ];
}

function chooseColumn({ chosen, choose }: Actions): GridColumn<PendingRow> {
  return {
    key: 'Choose',
    title: t('Choose'),
    isActions: true,
    width: 80,
    text: () => '',
    render: (run) =>
      canCancel(run) && (
        <Checkbox
          className="rs-history-choose"
          checked={chosen.has(pendingKey(run))}
          aria-label={t('Choose {name}', { name: cancelledName(run) })}
          onChange={() => choose(run)}
        />
      ),
  };
}

function actionsColumn({ open, cancel, busyKey }: Actions): GridColumn<PendingRow> {
  return {
    key: 'actions',
    title: '',
    width: 90,
    isActions: true,
    text: () => '',
    render: (run) => (
      <>
        <Button
          size="small"
          variant="minimal"
          icon={<EyeOpen />}
          title={t('View')}
          aria-label={t('View {name}', { name: run.Name })}
          onClick={() => open(run)}
        />
        {canCancel(run) && (
          <Button
            size="small"
            variant="minimal"
            icon={<Stop />}
            title={t('Cancel')}
            aria-label={t('Cancel {name}', { name: cancelledName(run) })}
            loading={busyKey === pendingKey(run)}
            onClick={() => cancel(run)}
          />
        )}
      </>
    ),
  };
}
