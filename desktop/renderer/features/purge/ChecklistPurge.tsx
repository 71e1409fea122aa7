import { Button, Checkbox } from '@blueprintjs/core';
import { Trash } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import {
  checklistRunDataSize,
  purgeChecklistRuns,
  type ChecklistRunDataSize,
} from '#shared/contract/checklist-purge.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { refreshActivities } from '#renderer/features/activities/use-activities.ts';
import { fileSizeText, numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { formatDay } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Card } from '#renderer/ui/Page.tsx';
import { FailureState } from '#renderer/ui/states.tsx';
import { showError, showMessage, showSuccess } from '#renderer/ui/toaster.tsx';
import { affectedText } from './affected-text.ts';
import { selectionColumn, sizeColumn } from './purge-columns.tsx';

const NO_ROWS: ChecklistRunDataSize[] = [];

/**
 * Runs of checklists and workflows, which are purged as a whole. Renders nothing if there are none. @param date
 * '2026-11-14'
 */
export function ChecklistPurge({ date }: { date: string }) {
  const query = useQuery({ ...queryOf(checklistRunDataSize, { params: { date } }), ...keepPrevious });
  const rows = query.data ?? NO_ROWS;
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback(({ ChecklistId }: ChecklistRunDataSize) => {
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(ChecklistId)) after.add(ChecklistId);
      return after;
    });
  }, []);
  const columns = useMemo(() => columnsOf(selected, toggle), [selected, toggle]);
  const chosen = rows.filter(({ ChecklistId }) => selected.has(ChecklistId));
  if (!query.data && query.error) return <FailureState error={query.error} onRetry={() => void query.refetch()} />;
  if (rows.length === 0) return null;
  return (
    <Card title={t('Checklists and workflows')}>
      <p className="rs-muted">
        {t(
          'A checklist or workflow run is purged as a whole, with the runs of its steps. Purging the runs of an activity does not purge these step runs.',
        )}
      </p>
      <Actions
        date={date}
        rows={rows}
        chosen={chosen}
        isReady={!query.isPlaceholderData}
        onSelect={(ids) => setSelected(new Set(ids))}
      />
      <DataGrid
        label={t('Run data sizes of checklists')}
        rows={rows}
        columns={columns}
        empty={t('There are no runs before this day')}
        onRowClick={toggle}
        maxRows={16}
      />
    </Card>
  );
}

interface ActionsProps {
  date: string;
  rows: readonly ChecklistRunDataSize[];
  chosen: readonly ChecklistRunDataSize[];
  /** True if the rows belong to the current date. */
  isReady: boolean;
  onSelect: (ids: readonly number[]) => void;
}

function Actions({ date, rows, chosen, isReady, onSelect }: ActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const isAll = chosen.length === rows.length;
  const size = chosen.reduce((sum, { Total }) => sum + Total, 0);
  const purge = async (): Promise<void> => {
    setBusy(true);
    try {
      const body = chosen.map(({ ChecklistId }) => ChecklistId);
      showSuccess(affectedText('All', await call(purgeChecklistRuns, { params: { date }, body })));
      onSelect([]);
      setAsking(false);
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      refreshActivities();
      await queryClient.invalidateQueries({ queryKey: keyOf(checklistRunDataSize) });
      setBusy(false);
    }
  };
  const names =
    chosen.length === 1
      ? chosen[0]!.ChecklistName
      : t('{chosenCount} checklists', { chosenCount: numberText(chosen.length) });
  return (
    <div className="rs-bar">
      <Checkbox
        label={t('Select all checklists')}
        checked={isAll}
        indeterminate={chosen.length > 0 && !isAll}
        onChange={() => onSelect(isAll ? [] : rows.map(({ ChecklistId }) => ChecklistId))}
      />
      <Button
        icon={<Trash />}
        intent="danger"
        text={size === 0 ? t('Purge checklist runs') : t('Purge checklist runs ({size})', { size: fileSizeText(size) })}
        disabled={!isReady}
        onClick={() => (chosen.length === 0 ? showMessage(t('Nothing to purge')) : setAsking(true))}
      />
      <ConfirmDialog
        isOpen={isAsking}
        title={t('Purge Activity Run Data')}
        confirmText={t('Purge')}
        intent="danger"
        isBusy={isBusy}
        onCancel={() => setAsking(false)}
        onConfirm={() => void purge()}
      >
        {t(
          'Purge the runs of {names} that were queued before {day}, with the runs of their steps? This cannot be undone.',
          { names, day: formatDay(`${date}T00:00:00`) },
        )}
      </ConfirmDialog>
    </div>
  );
}

function columnsOf(
  selected: ReadonlySet<number>,
  toggle: (row: ChecklistRunDataSize) => void,
): GridColumn<ChecklistRunDataSize>[] {
  const isSelected = ({ ChecklistId }: ChecklistRunDataSize): boolean => selected.has(ChecklistId);
  return [
    selectionColumn({ nameOf: (row) => row.ChecklistName, isSelected, toggle }),
    { key: 'ChecklistName', title: t('Checklist'), text: (row) => row.ChecklistName },
    { key: 'SchemaName', title: t('Schema'), text: (row) => row.SchemaName },
    {
      key: 'Runs',
      title: t('Runs'),
      align: 'right',
      width: 90,
      text: (row) => numberText(row.Runs),
      sortValue: (row) => row.Runs,
    },
    sizeColumn('Total', t('Total')),
    sizeColumn('InputFile', t('Input files')),
    sizeColumn('OutputFile', t('Output files')),
  ];
}
