import { columnsOfGroup } from '#shared/codecs/printed-columns.ts';
import { t } from '#renderer/language/translate.ts';
import type { GridColumn } from './grid-model.ts';
import { printedColumns } from './printed-columns.ts';
import './printed-table.css';

interface PrintedTableProps<Row> {
  columns: readonly GridColumn<Row>[];
  rows: readonly Row[];
}

/**
 * A table of all rows and columns for printing, with headers on each sheet. Columns that do not fit continue in further
 * tables below. It is hidden on screen.
 */
export function PrintedTable<Row>({ columns, rows }: PrintedTableProps<Row>) {
  const printed = columns.filter(({ isActions }) => !isActions);
  const groups = printedColumns(printed, rows);
  return (
    <div className="rs-printed-tables">
      {groups.map((group, index) => (
        <TableOfColumns
          key={group.at(-1)!.key}
          columns={group}
          rows={rows}
          caption={groups.length > 1 ? captionOf(groups, index, printed.length) : ''}
        />
      ))}
    </div>
  );
}

function captionOf(groups: readonly (readonly unknown[])[], index: number, count: number): string {
  return t('Columns {from} to {to} of {count}', { ...columnsOfGroup(groups, index), count });
}

function TableOfColumns<Row>({ columns, rows, caption }: PrintedTableProps<Row> & { caption: string }) {
  return (
    <table className="rs-printed-table">
      {caption !== '' && <caption>{caption}</caption>}
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
        {rows.map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows have no key of their own, and never move while they are printed
          <tr key={index}>
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
