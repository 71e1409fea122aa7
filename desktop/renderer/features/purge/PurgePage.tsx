import { useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { t } from '#renderer/language/translate.ts';
import { DateField } from '#renderer/ui/date/DateField.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { ChecklistPurge } from './ChecklistPurge.tsx';
import { PurgeActions } from './PurgeActions.tsx';
import { purgeColumns } from './purge-columns.tsx';
import { defaultPurgeDate, isDay } from './purge-date.ts';
import { usePurgeRows, type PurgeRow } from './use-purge-rows.ts';

const NO_ROWS: PurgeRow[] = [];

/** /activities/purgeRunData */
export function PurgePage() {
  const [params, setParams] = useSearchParams();
  const [today] = useState(() => new Date());
  const date = params.get('date') ?? defaultPurgeDate(today);
  const isValid = isDay(date);
  const { list, sizes, rows: known } = usePurgeRows(date, isValid);
  const rows = known ?? NO_ROWS;
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback(({ ActivityId }: PurgeRow) => {
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(ActivityId)) after.add(ActivityId);
      return after;
    });
  }, []);
  const columns = useMemo(() => purgeColumns(selected, toggle), [selected, toggle]);
  const chosen = useMemo(() => rows.filter(({ ActivityId }) => selected.has(ActivityId)), [rows, selected]);
  return (
    <Page title={t('Purge Activity Run Data')}>
      <Card>
        <FormField
          label={t('Date')}
          helper={t('Runs that have ended and were queued before this day')}
          error={isValid ? null : t('Value must be specified')}
        >
          {(field) => (
            <DateField {...field} value={date} onChange={(value) => setParams({ date: value }, { replace: true })} />
          )}
        </FormField>
        <PurgeActions
          date={date}
          rows={rows}
          chosen={chosen}
          isReady={isValid && known !== undefined && !list.isPlaceholderData}
          onSelect={(ids) => setSelected(new Set(ids))}
        />
        {known && (
          <DataGrid
            label={t('Run data sizes')}
            rows={rows}
            columns={columns}
            empty={t('There are no runs before this day')}
            onRowClick={toggle}
            maxRows={16}
          />
        )}
        {!known && list.error && <FailureState error={list.error} onRetry={() => void list.refetch()} />}
        {!known && !list.error && isValid && <Skeleton kind="grid" />}
        {known && sizes.error && <FailureState error={sizes.error} onRetry={() => void sizes.refetch()} />}
      </Card>
      {isValid && <ChecklistPurge date={date} />}
    </Page>
  );
}
