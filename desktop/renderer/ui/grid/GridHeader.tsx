import { Export, Import, Pin, SortAsc, SortDesc, Unpin } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';
import type { GridColumn, GridSort } from './grid-model.ts';

interface GridHeaderProps<Row> {
  column: GridColumn<Row>;
  id: string;
  index: number;
  /** True if the column does not scroll. */
  isFrozen: boolean;
  /** Freezes the columns up to this one, or lets them scroll; undefined if that is not offered here. */
  onFreeze: (() => void) | undefined;
  sort: GridSort | null;
  isSortable: boolean;
  onSort: (key: string) => void;
}

const TONE_WORD = { input: t('Input'), output: t('Output') } as const;

/** A column's title, and its sort order if it is sortable. */
export function GridHeader<Row>(props: GridHeaderProps<Row>) {
  const { column, id, index, isFrozen, onFreeze, sort, isSortable, onSort } = props;
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
      ref={(element) => markHeader(element, id, isFrozen)}
    >
      {isSortable ? (
        <button type="button" onClick={() => onSort(column.key)} title={t('Sort by {title}', { title: column.title })}>
          {title}
        </button>
      ) : (
        title
      )}
      {onFreeze && <FreezeButton title={column.title || t('Row names')} isFrozen={isFrozen} onFreeze={onFreeze} />}
    </div>
  );
}

function FreezeButton({ title, isFrozen, onFreeze }: { title: string; isFrozen: boolean; onFreeze: () => void }) {
  return (
    <button
      type="button"
      className="rs-grid-freeze"
      aria-label={t('Freeze {title}', { title })}
      aria-pressed={isFrozen}
      title={isFrozen ? t('Let all columns scroll') : t('Keep the columns up to this one visible')}
      onClick={onFreeze}
    >
      {isFrozen ? <Unpin size={12} title={false} /> : <Pin size={12} title={false} />}
    </button>
  );
}

/**
 * Blueprint renders every header two or three times, with the upper copy hiding the lower: only the upper one may be
 * read and focused.
 */
function markHeader(element: HTMLElement | null, id: string, isFrozen: boolean): void {
  if (!element) return;
  const isCovered = element.closest(`.bp6-table-quadrant-top${isFrozen ? '-left' : ''}`) === null;
  element.inert = isCovered;
  if (isCovered) {
    element.removeAttribute('id');
    element.setAttribute('role', 'presentation');
  } else {
    element.id = id;
  }
}
