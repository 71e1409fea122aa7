import { type JsonCell } from '#shared/codecs/format-value.ts';
import { isRightAligned, type TableRow, type ValueTable } from '#shared/codecs/value-table.ts';
import type { GridColumn, SortValue } from '#renderer/ui/grid/grid-model.ts';
import { shownValue } from '#renderer/language/shown-value.ts';
import { copiedValue } from './copied-value.ts';

/** The columns of a table of values, for the grid and for printing. */
export function tableColumns({ columns, hasRowNames }: ValueTable): GridColumn<TableRow>[] {
  const values = columns.map((column, col): GridColumn<TableRow> => ({
    key: String(col),
    title: column.title,
    text: remembered((row) => shownValue(row.cells[col], column.format, column.usage)),
    sortValue: (row) => sortValue(row.cells[col]),
    copied: (row) => copiedValue(row.cells[col], column.format, column.usage),
    align: isRightAligned(column) ? 'right' : 'left',
  }));
  return hasRowNames ? [{ key: 'name', title: '', text: (row) => row.name }, ...values] : values;
}

/** Caches the text of each cell, because filtering reads all of them on every keystroke. */
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
