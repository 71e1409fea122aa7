import { Button } from '@blueprintjs/core';
import { Download, Duplicate, TimelineLineChart } from '@blueprintjs/icons';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { formatCellValue, type JsonCell } from '#shared/codecs/format-value.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import { toClipboardText, type GridColumn, type SortValue } from '#renderer/ui/grid/grid-model.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { usePrinting } from '#renderer/ui/use-printing.ts';
import { startDownload } from '#renderer/features/runs/downloads.ts';
import { t } from '#renderer/language/translate.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { PrintedTable } from './PrintedTable.tsx';
import { planPlot, type TableRow, type ValueTable } from './output-values.ts';

const TablePlot = lazyPart(async () => (await import('./TablePlot.tsx')).TablePlot, <Skeleton kind="grid" />);

interface ValueTableViewProps {
  label: string;
  table: ValueTable;
  tone: 'input' | 'output';
  /** A token for the rows as .xlsx; null asks for all. Null where there is none. */
  download: ((rows: number[] | null) => Promise<string>) | null;
  /** Is told which rows the filter leaves, in their order; null where it leaves all. */
  onRows: (rows: number[] | null) => void;
}

/** A table of values: filter, sort, copy, download what is left of it, and a plot of its numbers. */
export function ValueTableView({ label, table, tone, download, onRows }: ValueTableViewProps) {
  const [shown, setShown] = useState<number[] | null>(null);
  const [isPlotted, setPlotted] = useState(false);
  const isPrinting = usePrinting();
  const plan = useMemo(() => planPlot(table), [table]);
  const allColumns = useMemo(() => gridColumns(table), [table]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set());
  const columns = useMemo(() => allColumns.filter(({ key }) => !hidden.has(key)), [allColumns, hidden]);
  const onShownRows = useCallback((indices: number[]) => setShown(indices), []);
  const filtered = useMemo(
    () => (shown !== null && shown.length < table.rows.length ? shown.toSorted((a, b) => a - b) : null),
    [shown, table],
  );
  const isFiltered = filtered !== null;
  useEffect(() => {
    onRows(filtered);
    return () => onRows(null);
  }, [filtered, onRows]);
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
            onClick={() => setPlotted(!isPlotted)}
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
      {plan && isPlotted && <TablePlot label={label} table={table} plan={plan} />}
      {isPrinting && <PrintedTable columns={allColumns} rows={table.rows} />}
      <DataGrid
        label={`${tone === 'input' ? t('Input') : t('Output')} ${label}`}
        rows={table.rows}
        columns={columns}
        empty={t('No rows')}
        filterable={table.rows.length > 1}
        onShownRows={onShownRows}
      />
    </div>
  );
}

const rowsOf = ({ rows }: ValueTable, shown: readonly number[] | null): readonly TableRow[] =>
  shown === null ? rows : shown.map((index) => rows[index]!);

async function copyRows(columns: readonly GridColumn<TableRow>[], rows: readonly TableRow[]): Promise<void> {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ text }) => text(row)))];
  if (await bridge.copyText(toClipboardText(cells)))
    showMessage(t('{rowsCount, plural, one {Copied 1 row} other {Copied # rows}}', { rowsCount: rows.length }));
}

function gridColumns({ columns, hasRowNames }: ValueTable): GridColumn<TableRow>[] {
  const values = columns.map((column, col): GridColumn<TableRow> => ({
    key: String(col),
    title: column.title,
    text: remembered((row) => formatCellValue(row.cells[col], column.format, column.usage)),
    sortValue: (row) => sortValue(row.cells[col]),
    align: column.usage === 'Number' || column.usage === 'Date' ? 'right' : 'left',
  }));
  return hasRowNames ? [{ key: 'name', title: '', text: (row) => row.name }, ...values] : values;
}

/** Formats each cell once: filtering asks for all of them at each letter typed. */
function remembered(text: (row: TableRow) => string): (row: TableRow) => string {
  const known = new Map<number, string>();
  return (row) => {
    let value = known.get(row.index);
    if (value === undefined) {
      value = text(row);
      known.set(row.index, value);
    }
    return value;
  };
}

function sortValue(cell: JsonCell | undefined): SortValue {
  if (cell === undefined || cell === null) return null;
  return typeof cell === 'object' ? cell.error : cell;
}
