import { Tag } from '@blueprintjs/core';
import type { Mark } from '#shared/contract/designs.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import type { HeaderSource } from '#shared/rules/parameter-kinds.ts';
import { said, t } from '#renderer/language/translate.ts';
import { HeadersChip, KindChips } from '../designer/KindChips.tsx';

/** Maximum number of columns shown; a count replaces the rest. */
const MAX_SHOWN = 30;

interface ColumnChipsProps {
  info: InputInfo | OutputInfo;
  headers: HeaderSource | undefined;
  /** The mark of the table; null if it cannot be changed here. */
  mark: Mark | null;
  onChange: (mark: Mark) => void;
}

/**
 * How the columns of a table were interpreted: whether the first row is headers, and the kind of each column. The
 * author can change both.
 */
export function ColumnChips({ info, headers, mark, onChange }: ColumnChipsProps) {
  if (info.RangeType !== 'RangeWithColumnHeaders') return null;
  if (mark)
    return (
      <div className="rs-column-chips">
        <HeadersChip mark={mark} info={info} headers={headers} onChange={onChange} />
        <KindChips mark={mark} info={info} limit={MAX_SHOWN} onChange={onChange} />
      </div>
    );
  const columns = info.ColumnHeaderValues.slice(0, MAX_SHOWN);
  const more = info.ColumnHeaderValues.length - columns.length;
  return (
    <div className="rs-column-chips">
      {headers !== undefined && headers !== 'table' && (
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
