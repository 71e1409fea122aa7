import { Tag } from '@blueprintjs/core';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import type { HeaderSource } from '#shared/rules/parameter-kinds.ts';
import { said, t } from '#renderer/language/translate.ts';

/** Maximum number of columns shown; a count replaces the rest. */
const MAX_SHOWN = 30;

/** How the columns of a table were interpreted: whether the first row is headers, and the kind of each column. */
export function ColumnChips({ info, headers }: { info: InputInfo | OutputInfo; headers: HeaderSource | null }) {
  if (info.RangeType !== 'RangeWithColumnHeaders') return null;
  const columns = info.ColumnHeaderValues.slice(0, MAX_SHOWN);
  const more = info.ColumnHeaderValues.length - columns.length;
  return (
    <div className="rs-column-chips">
      {headers !== null && headers !== 'table' && (
        <Tag minimal intent="primary">
          {headers === 'inside' ? t('First row: headers') : t('First row: data')}
        </Tag>
      )}
      {columns.map((name, index) => (
        <Tag key={index} minimal>
          {name}: {said(info.CellUsages[index] ?? 'Text')}
        </Tag>
      ))}
      {more > 0 && <span className="rs-muted">{t('and {more} more columns', { more })}</span>}
    </div>
  );
}
