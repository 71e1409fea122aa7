import { useDeferredValue, useMemo } from 'react';
import { t } from '#renderer/language/translate.ts';
import { selectedBlock } from './grid-selection.ts';
import type { GridEditing } from './use-grid-editing.ts';
import { summarizeCells, summaryTexts } from './summarize.ts';

/** Sum, average and other statistics of the selected cells, as in Excel's status bar. */
export function GridStatusLine({ editing }: { editing: GridEditing }) {
  const { rows, shape, layout, selection } = editing;
  const { top, left, bottom, right } = selectedBlock(selection);
  const { shown } = layout;
  // Deferred, because dragging over very many cells has priority.
  const block = useDeferredValue(useMemo(() => ({ top, left, bottom, right }), [top, left, bottom, right]));
  const summary = useMemo(() => summarizeCells(rows, block, shape, shown), [rows, block, shape, shown]);
  const texts = summary ? summaryTexts(summary) : [];
  return (
    <div className="rs-grid-status" role="status" aria-label={t('Selected cells')}>
      {texts.map(({ name, text }) => (
        <span key={name}>
          {name}: <strong>{text}</strong>
        </span>
      ))}
    </div>
  );
}
