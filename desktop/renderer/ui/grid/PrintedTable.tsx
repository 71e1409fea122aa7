import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import type { TableRow } from './output-values.ts';

/** All rows of a table as they go on paper, headers on each sheet. */
export function PrintedTable({
  columns,
  rows,
}: {
  columns: readonly GridColumn<TableRow>[];
  rows: readonly TableRow[];
}) {
  return (
    <table className="rs-printed-table">
      <thead>
        <tr>
          {columns.map(({ key, title }) => (
            <th key={key} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.index}>
            {columns.map(({ key, text, align }) => (
              <td key={key} className={align === 'right' ? 'rs-printed-right' : undefined}>
                {text(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
