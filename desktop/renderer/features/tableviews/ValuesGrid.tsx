import { useCallback, useMemo } from 'react';
import type { ColumnSort, TableValues } from '#shared/contract/tableviews.ts';
import { exactText, tableText } from '#shared/codecs/table-value.ts';
import { personRegion } from '#renderer/language/region.ts';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn, GridSort } from '#renderer/ui/grid/grid-model.ts';
import { MoreButton, type FurtherPages } from '#renderer/ui/LoadMore.tsx';

/** Visible rows; more rows scroll inside the grid. */
const ROWS_SHOWN = 16;

type Row = TableValues['Rows'][number];

interface ValuesGridProps {
  label: string;
  pages: readonly TableValues[];
  /** Names of the visible columns; null for all. */
  shown: readonly string[] | null;
  sort: readonly ColumnSort[];
  /** `next` is true for descending, false for ascending, and null to stop sorting by the column. */
  onSort: (name: string, next: boolean | null) => void;
  more: FurtherPages;
  /** True while the rows are those before the last change of filters or order. */
  isOutdated: boolean;
}

/** Shows rows in the order of the server, page by page. */
export function ValuesGrid({ label, pages, shown, sort, onSort, more, isOutdated }: ValuesGridProps) {
  const rows = useMemo(() => pages.flatMap(({ Rows }) => Rows), [pages]);
  const valueColumns = pages[0]!.Columns;
  const columns = useMemo(() => {
    const all = valueColumns.map((column, index): GridColumn<Row> => ({
      key: column.ColumnName,
      title: column.DisplayName,
      align: column.FilterKind === 'Number' ? 'right' : 'left',
      text: (row) => tableText(row[index] ?? null, column, personRegion()),
      tooltip: (row) => exactText(row[index] ?? null, column),
      sortable: column.CanSort,
      // The rows arrive sorted, so the grid must not reorder them.
      sortValue: () => 0,
    }));
    const chosen = all.filter(({ key }) => shown?.includes(key));
    // The view may no longer have any of the chosen columns.
    return chosen.length > 0 ? chosen : all;
  }, [valueColumns, shown]);
  const [first] = sort;
  const shownSort: GridSort | null = first ? { key: first.ColumnName, descending: first.Descending } : null;
  const onSortChange = useCallback(
    (next: GridSort | null): void => {
      if (next) onSort(next.key, next.descending);
      else if (first) onSort(first.ColumnName, null);
    },
    [onSort, first],
  );
  return (
    <div className={isOutdated ? 'rs-view-rows is-outdated' : 'rs-view-rows'} aria-busy={isOutdated}>
      <SortText columns={valueColumns} sort={sort} />
      <DataGrid
        label={label}
        rows={rows}
        columns={columns}
        empty={t('No rows')}
        maxRows={ROWS_SHOWN}
        sort={shownSort}
        onSortChange={onSortChange}
        more={more}
      />
      <p className="rs-view-loading" role="status">
        {isOutdated && <span>{t('Loading the rows…')}</span>}
      </p>
      <MoreButton query={more} />
    </div>
  );
}

/** Lists the sort columns after the first, which the heading already shows. */
function SortText({ columns, sort }: { columns: TableValues['Columns']; sort: readonly ColumnSort[] }) {
  if (sort.length < 2) return null;
  const names = new Map(columns.map(({ ColumnName, DisplayName }) => [ColumnName, DisplayName]));
  const parts = sort.map(({ ColumnName, Descending }) =>
    Descending
      ? t('{column} (descending)', { column: names.get(ColumnName) ?? ColumnName })
      : (names.get(ColumnName) ?? ColumnName),
  );
  return <p className="rs-muted">{t('Sorted by {columns}', { columns: parts.join(t(', then ')) })}</p>;
}
