import { Button } from '@blueprintjs/core';
import { EyeOpen, Stop } from '@blueprintjs/icons';
import type { PendingRun } from '#shared/contract/runs.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { StatusTag, statusText } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';

interface Actions {
  open: (run: PendingRun) => void;
  cancel: (run: PendingRun) => void;
  busyId: number | null;
}

export const runPath = ({ Id }: PendingRun): string => `/activities/runstatus/${Id}/`;

export function pendingColumns({ open, cancel, busyId }: Actions): GridColumn<PendingRun>[] {
  return [
    {
      key: 'Status',
      title: t('Status'),
      width: 190,
      text: (run) => statusText(run.Status),
      render: (run) => <StatusTag status={run.Status} />,
      to: runPath,
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
    { key: 'Name', title: t('Name'), text: (run) => run.Name },
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
              aria-label={t('Cancel {name}', { name: run.Name })}
              loading={busyId === run.Id}
              onClick={() => cancel(run)}
            />
          )}
        </>
      ),
    },
  ];
}
