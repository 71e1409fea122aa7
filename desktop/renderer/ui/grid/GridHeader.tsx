import { Export, Import, SortAsc, SortDesc } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';
import type { GridColumn, GridSort } from './grid-model.ts';

interface GridHeaderProps<Row> {
  column: GridColumn<Row>;
  id: string;
  index: number;
  sort: GridSort | null;
  isSortable: boolean;
  onSort: (key: string) => void;
}

const TONE_WORD = { input: t('Input'), output: t('Output') } as const;

/** A column's title, and its sort order if it is sortable. */
export function GridHeader<Row>({ column, id, index, sort, isSortable, onSort }: GridHeaderProps<Row>) {
  const sorted = sort?.key === column.key ? sort : null;
  const Mark = column.tone === 'input' ? Import : Export;
  const title = (
    <>
      {column.tone && (
        <span title={TONE_WORD[column.tone]}>
          <Mark size={12} title={false} />
          <span className="rs-visually-hidden">{TONE_WORD[column.tone]}: </span>
        </span>
      )}
      <span className="rs-grid-title">{column.title}</span>
      {sorted && (sorted.descending ? <SortDesc size={12} title={false} /> : <SortAsc size={12} title={false} />)}
    </>
  );
  const order = sorted ? (sorted.descending ? 'descending' : 'ascending') : 'none';
  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      aria-sort={isSortable ? order : undefined}
      aria-label={column.title === '' ? t('Actions') : undefined}
      className={column.align === 'right' ? 'rs-grid-header rs-grid-right' : 'rs-grid-header'}
      ref={(element) => markHeader(element, id)}
    >
      {isSortable ? (
        <button type="button" onClick={() => onSort(column.key)} title={t('Sort by {title}', { title: column.title })}>
          {title}
        </button>
      ) : (
        title
      )}
    </div>
  );
}

/**
 * Blueprint renders every header twice, with the upper copy hiding the lower: only the upper one may be read and
 * focused.
 */
function markHeader(element: HTMLElement | null, id: string): void {
  if (!element) return;
  const isCovered = element.closest('.bp6-table-quadrant-main') !== null;
  element.inert = isCovered;
  if (isCovered) {
    element.removeAttribute('id');
    element.setAttribute('role', 'presentation');
  } else {
    element.id = id;
  }
}
