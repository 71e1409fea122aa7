import { Button } from '@blueprintjs/core';
import { EyeOpen, Stop } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { StatusTag, statusText } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { isApproval, pendingKey, pendingPath, type PendingRow } from './pending-rows.ts';

interface Actions {
  open: (run: PendingRow) => void;
  cancel: (run: PendingRow) => void;
  /** The pendingKey of the row that is being cancelled. */
  busyKey: string | null;
}

const nameOf = (run: PendingRow): string =>
  isApproval(run) ? t('{name} (waits for {names})', { name: run.Name, names: run.WaitsFor.join(', ') }) : run.Name;

export function pendingColumns({ open, cancel, busyKey }: Actions): GridColumn<PendingRow>[] {
  return [
    {
      key: 'Status',
      title: t('Status'),
      width: 190,
      text: (run) => statusText(run.Status),
      render: (run) => <StatusTag status={run.Status} />,
      to: pendingPath,
    },
    {
      key: 'QueueTime',
      title: t('Run on'),
      width: 150,
      text: (run) => formatDayTime(run.QueueTime),
      render: (run) => <DateText value={run.QueueTime} />,
      sortValue: (run) => run.QueueTime,
    },
    { key: 'Schema', title: t('Schema'), text: (run) => run.Schema },
    { key: 'Name', title: t('Name'), text: nameOf },
    { key: 'UserFullName', title: t('Run By'), text: (run) => run.UserFullName },
    { key: 'ChecklistName', title: t('Source'), text: (run) => run.ChecklistName ?? '' },
    {
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
          {run.CanCancel && (
            <Button
              size="small"
              variant="minimal"
              icon={<Stop />}
              title={t('Cancel')}
              aria-label={t('Cancel {name}', { name: isApproval(run) ? run.ChecklistName : run.Name })}
              loading={busyKey === pendingKey(run)}
              onClick={() => cancel(run)}
            />
          )}
        </>
      ),
    },
  ];
}
