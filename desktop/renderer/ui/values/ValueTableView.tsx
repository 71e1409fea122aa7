import { Button } from '@blueprintjs/core';
import { Download, Duplicate, TimelineLineChart } from '@blueprintjs/icons';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { planPlot, type TableRow, type ValueTable } from '#shared/codecs/value-table.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import { copyTables } from '#renderer/ui/grid/copy-tables.ts';
import { copiedRows, toClipboardText, type GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { startDownload } from '#renderer/ui/downloads.ts';
import { t } from '#renderer/language/translate.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { tableColumns } from './table-columns.ts';

const TablePlot = lazyPart(async () => (await import('./TablePlot.tsx')).TablePlot, <Skeleton kind="grid" />);

interface ValueTableViewProps {
  label: string;
  table: ValueTable;
  tone: 'input' | 'output';
  /** Returns a token for the rows as .xlsx; null requests all rows. The property is null if there is no download. */
  download: ((rows: number[] | null) => Promise<string>) | null;
  /** Called with the rows that pass the filter, in their order; null if all pass. */
  onRows: (rows: number[] | null) => void;
  /** The plot if it is shown elsewhere; absent if it appears above the table. */
  plot?: { isShown: boolean; toggle: () => void } | undefined;
}

/** A table of values with filter, sorting, copying, download of the filtered rows, and a plot of its numbers. */
export function ValueTableView({ label, table, tone, download, onRows, plot }: ValueTableViewProps) {
  const { shown, filtered, onShownRows } = useShownRows(table, onRows);
  const isFiltered = filtered !== null;
  const [isPlottedHere, setPlottedHere] = useState(false);
  const isPlotted = plot ? plot.isShown : isPlottedHere;
  const plan = useMemo(() => planPlot(table), [table]);
  const allColumns = useMemo(() => tableColumns(table), [table]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set());
  const columns = useMemo(() => allColumns.filter(({ key }) => !hidden.has(key)), [allColumns, hidden]);
  return (
    <div className="rs-value-table">
      <div className="rs-value-table-head">
        <h3>{label}</h3>
        {plan && (
          <Button
            size="small"
            icon={<TimelineLineChart />}
            text={t('Plot')}
            aria-label={t('Plot {label}', { label })}
            active={isPlotted}
            aria-pressed={isPlotted}
            onClick={plot ? plot.toggle : () => setPlottedHere(!isPlotted)}
          />
        )}
        {allColumns.length > 1 && <ColumnChooser label={label} columns={allColumns} {...{ hidden, setHidden }} />}
        {table.rows.length > 0 && (
          <Button
            size="small"
            icon={<Duplicate />}
            text={t('Copy')}
            title={t('Copy the rows and columns that are shown')}
            aria-label={t('Copy {label}', { label })}
            onClick={() => void copyRows(columns, rowsOf(table, shown))}
          />
        )}
        {download && table.rows.length > 0 && (
          <Button
            size="small"
            icon={<Download />}
            text={isFiltered ? t('Download filtered rows') : t('Download')}
            aria-label={t(isFiltered ? 'Download filtered rows of {label}' : 'Download of {label}', { label })}
            onClick={() => void startDownload(download(filtered))}
          />
        )}
      </div>
      {plan && isPlottedHere && !plot && <TablePlot label={label} table={table} plan={plan} />}
      <DataGrid
        label={`${tone === 'input' ? t('Input') : t('Output')} ${label}`}
        rows={table.rows}
        columns={columns}
        empty={t('No rows')}
        filterable={table.rows.length > 1}
        onShownRows={onShownRows}
        isPrinted={false}
      />
    </div>
  );
}

/** Tracks which rows pass the filter, and reports them. */
function useShownRows(table: ValueTable, onRows: ValueTableViewProps['onRows']) {
  const [shown, setShown] = useState<number[] | null>(null);
  const onShownRows = useCallback((indices: number[]) => setShown(indices), []);
  const filtered = useMemo(
    () => (shown !== null && shown.length < table.rows.length ? shown.toSorted((a, b) => a - b) : null),
    [shown, table],
  );
  useEffect(() => {
    onRows(filtered);
    return () => onRows(null);
  }, [filtered, onRows]);
  return { shown, filtered, onShownRows };
}

const rowsOf = ({ rows }: ValueTable, shown: readonly number[] | null): readonly TableRow[] =>
  shown === null ? rows : shown.map((index) => rows[index]!);

async function copyRows(columns: readonly GridColumn<TableRow>[], rows: readonly TableRow[]): Promise<void> {
  const header = columns.map((column) => column.title);
  const cells = copiedRows(columns, rows);
  const text = toClipboardText([header, ...cells.map((row) => row.map((cell) => cell.text))]);
  if (await copyTables(text, [{ title: '', header, rows: cells }]))
    showMessage(t('{rowsCount, plural, one {Copied 1 row} other {Copied # rows}}', { rowsCount: rows.length }));
}
