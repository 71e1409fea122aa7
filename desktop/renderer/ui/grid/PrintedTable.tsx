import type { GridColumn } from './grid-model.ts';
import './printed-table.css';

interface PrintedTableProps<Row> {
  columns: readonly GridColumn<Row>[];
  rows: readonly Row[];
}

/** A table of all rows for printing, with headers on each sheet. It is hidden on screen. */
export function PrintedTable<Row>({ columns, rows }: PrintedTableProps<Row>) {
  const printed = columns.filter(({ isActions }) => !isActions);
  return (
    <table className="rs-printed-table">
      <thead>
        <tr>
          {printed.map(({ key, title }) => (
            <th key={key} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows have no key of their own, and never move while they are printed
          <tr key={index}>
            {printed.map(({ key, text, align }) => (
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
