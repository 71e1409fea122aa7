import { Button, Checkbox, InputGroup } from '@blueprintjs/core';
import { Search, SortAsc, SortDesc } from '@blueprintjs/icons';
import { useMemo, useState, type KeyboardEvent } from 'react';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { compareNames } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import type { GridView } from './GridRowView.tsx';
import { firstInOrder } from './first-in-order.ts';
import { columnTexts } from './grid-layout.ts';
import { withinWidths } from './use-column-resize.ts';

export interface ColumnMenuProps {
  view: GridView;
  col: number;
  name: string;
  /** In pixels. */
  width: number;
  onClose: () => void;
}

/** Maximum number of listed values; search finds the others. */
const MAX_LISTED_VALUES = 200;

const ORDERS: Partial<Record<CellUsage, readonly [string, string]>> = {
  Number: [t('Sort smallest to largest'), t('Sort largest to smallest')],
  Date: [t('Sort oldest to newest'), t('Sort newest to oldest')],
};
const TEXT_ORDER = [t('Sort A to Z'), t('Sort Z to A')] as const;

/** Menu of a column heading: sort order, filter and width. */
export function ColumnMenu({ view, col, name, width, onClose }: ColumnMenuProps) {
  const { editing, frozen, sortRefusal } = view;
  const [ascending, descending] = ORDERS[view.shape.kind(0, col).usage] ?? TEXT_ORDER;
  const act = (action: () => void) => (): void => {
    action();
    onClose();
  };
  const sort = (down: boolean) => act(() => editing.sort(col, down));
  const isFrozen = frozen === col + 1;
  return (
    <div role="dialog" aria-label={t('Sort and filter {name}', { name })} className="rs-column-menu">
      {sortRefusal === null ? (
        <>
          <Button variant="minimal" alignText="start" icon={<SortAsc />} text={ascending} onClick={sort(false)} />
          <Button variant="minimal" alignText="start" icon={<SortDesc />} text={descending} onClick={sort(true)} />
        </>
      ) : (
        <div className="rs-muted rs-column-menu-note">{sortRefusal}</div>
      )}
      <ColumnFilter view={view} col={col} onClose={onClose} />
      <div className="rs-column-menu-widths">
        <Button size="small" text={t('Narrower')} onClick={() => editing.setWidth(col, withinWidths(width - 40))} />
        <Button size="small" text={t('Wider')} onClick={() => editing.setWidth(col, withinWidths(width + 40))} />
        <Button
          size="small"
          text={t('Fit')}
          title={t('Fit the width to the values')}
          onClick={() => editing.setWidth(col, null)}
        />
        <Button
          size="small"
          active={isFrozen}
          text={isFrozen ? t('Unfreeze') : t('Freeze')}
          title={isFrozen ? t('Let all columns scroll') : t('Keep the columns up to this one visible')}
          onClick={act(() => editing.freeze(isFrozen ? 0 : col + 1))}
        />
      </div>
    </div>
  );
}

function ColumnFilter({ view, col, onClose }: { view: GridView; col: number; onClose: () => void }) {
  const { editing, rows, shape, suggestionAt } = view;
  const applied = editing.layout.filters.get(col);
  const texts = useMemo(() => columnTexts(rows, col, shape, suggestionAt), [rows, col, shape, suggestionAt]);
  const [search, setSearch] = useState('');
  const [unchecked, setUnchecked] = useState<ReadonlySet<string>>(
    () => new Set(applied ? texts.filter((text) => !applied.has(text)) : []),
  );
  const matching = useMemo(() => {
    const wanted = search.toLowerCase();
    return wanted === '' ? texts : texts.filter((text) => text.toLowerCase().includes(wanted));
  }, [texts, search]);
  const listed = useMemo(() => firstInOrder(matching, MAX_LISTED_VALUES, compareNames), [matching]);
  // As in Excel, the filter shows only values that match the search.
  const checkedTexts = matching.filter((text) => !unchecked.has(text));
  const toggle = (changed: readonly string[], isChecked: boolean): void => {
    const next = new Set(unchecked);
    for (const text of changed) {
      if (isChecked) next.delete(text);
      else next.add(text);
    }
    setUnchecked(next);
  };
  const apply = (): void => {
    editing.filter(col, checkedTexts.length === texts.length ? null : new Set(checkedTexts));
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.ctrlKey) return;
    event.preventDefault();
    if (checkedTexts.length > 0) apply();
  };
  return (
    <div className="rs-column-filter">
      <InputGroup
        size="small"
        leftIcon={<Search />}
        aria-label={t('Search values')}
        placeholder={t('Search values')}
        value={search}
        onValueChange={setSearch}
        onKeyDown={onKeyDown}
      />
      <div className="rs-column-filter-values" role="group" aria-label={t('Values to show')}>
        <Checkbox
          label={search === '' ? t('(Select all)') : t('(Select all found)')}
          checked={checkedTexts.length === matching.length && checkedTexts.length > 0}
          indeterminate={checkedTexts.length > 0 && checkedTexts.length < matching.length}
          onChange={(event) => toggle(matching, event.currentTarget.checked)}
        />
        {listed.map((text) => (
          <Checkbox
            key={text}
            label={text === '' ? t('(Blanks)') : text}
            checked={!unchecked.has(text)}
            onChange={(event) => toggle([text], event.currentTarget.checked)}
          />
        ))}
        {matching.length > MAX_LISTED_VALUES && (
          <div className="rs-muted">
            {t('{matchingCount} more: search to see them', { matchingCount: matching.length - MAX_LISTED_VALUES })}
          </div>
        )}
        {matching.length === 0 && <div className="rs-muted">{t('No value found')}</div>}
      </div>
      <div className="rs-column-filter-buttons">
        <Button size="small" intent="primary" text={t('Filter')} disabled={checkedTexts.length === 0} onClick={apply} />
        <Button
          size="small"
          text={t('Clear filter')}
          disabled={!applied}
          onClick={() => {
            editing.filter(col, null);
            onClose();
          }}
        />
      </div>
    </div>
  );
}
