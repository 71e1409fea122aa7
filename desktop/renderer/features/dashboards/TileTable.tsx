import { useMemo } from 'react';
import type { ValuesData } from '#shared/contract/dashboards.ts';
import { valueTable } from '#renderer/ui/values/output-values.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { shownValue } from '#renderer/language/shown-value.ts';
import { t } from '#renderer/language/translate.ts';

/** The first rows of a table. */
export function TileTable({ data }: { data: ValuesData }) {
  const { Value, Info, OutputName, Rows } = data;
  const table = useMemo(() => valueTable(Value, Info, OutputName), [Value, Info, OutputName]);
  const { columns, rows, hasRowNames } = table;
  return (
    <>
      <table className="rs-tile-table">
        <thead>
          <tr>
            {hasRowNames && <td />}
            {columns.map(({ title, usage }, col) => (
              <th key={col} scope="col" className={usage === 'Number' ? 'rs-tile-number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ index, name, cells }) => (
            <tr key={index}>
              {hasRowNames && <th scope="row">{name}</th>}
              {columns.map(({ format, usage }, col) => (
                <td key={col} className={typeof cells[col] === 'number' ? 'rs-tile-number' : undefined}>
                  {shownValue(cells[col], format, usage)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {Rows !== null && Rows > rows.length && (
        <p className="rs-muted">
          {t('The first {count} of {total} rows', { count: numberText(rows.length), total: numberText(Rows) })}
        </p>
      )}
    </>
  );
}
