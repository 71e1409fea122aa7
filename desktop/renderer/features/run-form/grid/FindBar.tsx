import { Button, InputGroup } from '@blueprintjs/core';
import { ChevronDown, ChevronUp, Cross, Search } from '@blueprintjs/icons';
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import { t } from '#renderer/language/translate.ts';
import { selectCell } from './grid-selection.ts';
import type { GridEditing } from './use-grid-editing.ts';
import { nextFound } from './find-cells.ts';
import type { SuggestionAt } from './grid-layout.ts';
import { useFoundCells } from './use-found-cells.ts';

interface FindBarProps {
  editing: GridEditing;
  suggestionAt: SuggestionAt;
  onClose: () => void;
}

/** Searches the cells for a text: Enter finds the next, Shift+Enter the previous, Escape returns to the grid. */
export function FindBar({ editing, suggestionAt, onClose }: FindBarProps) {
  const { rows, shape, layout, selection } = editing;
  const [text, setText] = useState('');
  const found = useFoundCells(rows, text, { shape, shown: layout.shown, suggestionAt });
  /** Direction that the user requested before the search finished. */
  const wanted = useRef<1 | -1 | null>(null);
  const here = found?.findIndex(({ row, col }) => row === selection.active.row && col === selection.active.col) ?? -1;
  const go = (step: 1 | -1): void => {
    wanted.current = found === null ? step : null;
    const cell = found?.[nextFound(found, selection.active, step)];
    if (cell) editing.select(selectCell(cell.row, cell.col));
  };
  const goWhereWanted = useEffectEvent(() => {
    if (wanted.current !== null) go(wanted.current);
  });
  const isFound = found !== null;
  useEffect(() => {
    if (isFound) goWhereWanted();
  }, [isFound]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    if (event.key === 'Escape') onClose();
    else go(event.shiftKey ? -1 : 1);
  };
  const state = found === null ? t('Searching…') : foundText(found.length, here);
  return (
    <div className="rs-find-bar" role="search" onKeyDown={onKeyDown}>
      <InputGroup
        size="small"
        leftIcon={<Search />}
        aria-label={t('Find in cells')}
        placeholder={t('Find in cells')}
        autoFocus
        value={text}
        onValueChange={setText}
      />
      <Button
        variant="minimal"
        size="small"
        icon={<ChevronUp />}
        aria-label={t('Find previous')}
        onClick={() => go(-1)}
      />
      <Button variant="minimal" size="small" icon={<ChevronDown />} aria-label={t('Find next')} onClick={() => go(1)} />
      <span className="rs-muted" role="status">
        {text === '' ? '' : state}
      </span>
      <Button variant="minimal" size="small" icon={<Cross />} aria-label={t('Close find')} onClick={onClose} />
    </div>
  );
}

function foundText(foundCount: number, here: number): string {
  if (foundCount === 0) return t('No cell found');
  return here < 0
    ? t('{foundCount} found', { foundCount })
    : t('{here} of {foundCount}', { here: here + 1, foundCount });
}
