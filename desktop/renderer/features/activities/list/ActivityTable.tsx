import { Button } from '@blueprintjs/core';
import { Refresh, SortAsc, SortDesc } from '@blueprintjs/icons';
import { useDeferredValue, useMemo, useRef, type KeyboardEvent } from 'react';
import type { ActivityList } from '#shared/contract/activities.ts';
import { t } from '#renderer/language/translate.ts';
import { EmptyState } from '#renderer/ui/states.tsx';
import { usePrinting } from '#renderer/ui/use-printing.ts';
import { ActivityRow } from './ActivityRow.tsx';
import { NO_CHOICE, useListChoice } from './list-choice.ts';
import { chosenRows, listRows, type ListChoice, type ListRow, type SortKey } from './list-rows.ts';
import { ListFilters } from './ListFilters.tsx';
import { useMarksQuery } from './use-marks.ts';
import { useMedia } from './use-media.ts';
import { useWindowedRows } from './use-windowed-rows.ts';
import './list.css';
import { LIST_KEYS } from '#renderer/ui/key-groups.ts';
import { useKeys } from '#renderer/ui/page-keys.ts';

/** Must match list.css. */
const ROW_HEIGHT = 44;
const NARROW_ROW_HEIGHT = 64;
const NARROW = '(max-width: 699px)';

/** Table with one row per activity or checklist. */
export function ActivityTable({ list }: { list: ActivityList }) {
  const { data: marks, error, refetch } = useMarksQuery();
  const [choice, change] = useListChoice();
  const rows = useMemo(() => listRows(list, marks), [list, marks]);
  const wanted = useDeferredValue(choice);
  const shown = useMemo(() => chosenRows(rows, wanted), [rows, wanted]);
  return (
    <>
      <ListFilters rows={rows} choice={choice} change={change} found={shown.length} />
      {error && !marks && (
        <p className="rs-list-without-marks" role="note">
          {t('Your favourites and the activities that you ran last could not be loaded.')}{' '}
          <Button size="small" icon={<Refresh />} text={t('Retry')} onClick={() => void refetch()} />
        </p>
      )}
      {shown.length === 0 ? (
        <EmptyState
          title={t('Nothing found')}
          action={<Button text={t('Clear filters')} onClick={() => change(NO_CHOICE)} />}
        />
      ) : (
        <Table rows={shown} sort={choice.sort} onSort={(sort) => change({ sort })} />
      )}
    </>
  );
}

interface TableProps {
  rows: readonly ListRow[];
  sort: ListChoice['sort'];
  /** Called with the sort as written in the address; null for the default order. */
  onSort: (sort: string | null) => void;
}

const COLUMNS: readonly { key: SortKey; title: string }[] = [
  { key: 'name', title: t('Name') },
  { key: 'group', title: t('Group') },
  { key: 'outcome', title: t('Outcome') },
  { key: 'last', title: t('Last run') },
  { key: 'next', title: t('Next run') },
];

function Table({ rows, sort, onSort }: TableProps) {
  useKeys(LIST_KEYS);
  const body = useRef<HTMLTableSectionElement>(null);
  const isPrinting = usePrinting();
  const rowHeight = useMedia(NARROW) ? NARROW_ROW_HEIGHT : ROW_HEIGHT;
  const windowed = useWindowedRows(body, rows.length, rowHeight);
  const { first, end } = isPrinting ? { first: 0, end: rows.length } : windowed;
  return (
    <table className="rs-list" aria-label={t('Activities')} aria-rowcount={rows.length + 1}>
      <thead>
        <tr aria-rowindex={1}>
          <th className="rs-list-star">
            <span className="rs-visually-hidden">{t('Favourite')}</span>
          </th>
          {COLUMNS.map((column) => (
            <Header key={column.key} column={column.key} title={column.title} sort={sort} onSort={onSort} />
          ))}
          <th className="rs-list-actions">
            <span className="rs-visually-hidden">{t('Actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={goBetweenRows}>
        <RowSpacer height={first * rowHeight} />
        {rows.slice(first, end).map((row, offset) => (
          <ActivityRow key={row.key} row={row} index={first + offset} />
        ))}
        <RowSpacer height={(rows.length - end) * rowHeight} />
      </tbody>
    </table>
  );
}

/** Spacer that replaces rows that are not drawn. */
function RowSpacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden style={{ height }}>
      {/* One column only: a colSpan would also create the columns that narrow screens omit. */}
      <td />
    </tr>
  );
}

interface HeaderProps extends Pick<TableProps, 'sort' | 'onSort'> {
  column: SortKey;
  title: string;
}

/** Column heading. The first click sorts ascending, the second descending, and the third restores the default order. */
function Header({ column, title, sort, onSort }: HeaderProps) {
  const isSorted = sort?.key === column;
  const isDown = isSorted && sort.isDown;
  const next = !isSorted ? column : isDown ? null : `-${column}`;
  return (
    <th className={`rs-list-${column}`} aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <button type="button" title={t('Sort by {title}', { title })} onClick={() => onSort(next)}>
        {title}
        {isSorted && (isDown ? <SortDesc size={12} title={false} /> : <SortAsc size={12} title={false} />)}
      </button>
    </th>
  );
}

/** The up and down keys move between the names. Rows that scroll into view are drawn before the focus reaches them. */
function goBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const link = (event.target as HTMLElement).closest<HTMLElement>('.rs-list-link');
  const row = link?.closest('tr');
  if (step === 0 || !row) return;
  event.preventDefault();
  const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
  next?.querySelector<HTMLElement>('.rs-list-link')?.focus();
}
