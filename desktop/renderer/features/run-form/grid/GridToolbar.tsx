import { Button } from '@blueprintjs/core';
import { AddRowTop, ArrowDown, FilterRemove, Redo, RemoveRowTop, Search, Undo } from '@blueprintjs/icons';
import type { JSX } from 'react';
import { t } from '#renderer/language/translate.ts';
import type { GridEditing } from './use-grid-editing.ts';
import { shownRowCount } from './grid-commands.ts';
import { isRowToTypeIn } from './grid-layout.ts';

interface GridToolbarProps {
  label: string;
  editing: GridEditing;
  disabled: boolean;
  onFind: () => void;
  /** Returns the keyboard focus to the grid after each button. */
  focusGrid: () => void;
}

/** Buttons for actions that also have keys, for users who do not know the keys and for touch. */
export function GridToolbar({ label, editing, disabled, onFind, focusGrid }: GridToolbarProps) {
  const { shape, layout, rows } = editing;
  const tool = (text: string, icon: JSX.Element, onClick: () => void, isOff = false) => (
    <Button
      variant="minimal"
      size="small"
      icon={icon}
      aria-label={text.replace(/ \(.*/, '')}
      title={text}
      disabled={isOff}
      // The cell editor keeps the focus until the click, so that its text is stored first.
      onClick={() => {
        onClick();
        focusGrid();
      }}
    />
  );
  const total = rows.length - (rows.length > 0 && isRowToTypeIn(rows, rows.length - 1, shape) ? 1 : 0);
  return (
    <div className="rs-grid-toolbar" role="toolbar" aria-label={t('Tools of {label}', { label })}>
      {!disabled && tool(t('Undo (Ctrl+Z)'), <Undo />, editing.undo, !editing.canUndo)}
      {!disabled && tool(t('Redo (Ctrl+Y)'), <Redo />, editing.redo, !editing.canRedo)}
      {shape.rowsVariable && tool(t('Insert rows (Ctrl++)'), <AddRowTop />, editing.insert)}
      {shape.rowsVariable && tool(t('Delete rows (Ctrl+-)'), <RemoveRowTop />, editing.removeSelected)}
      {!disabled && tool(t('Fill down (Ctrl+D)'), <ArrowDown />, editing.fillDown)}
      <Button
        variant="minimal"
        size="small"
        icon={<Search />}
        aria-label={t('Find')}
        title={t('Find (Ctrl+F)')}
        onClick={onFind}
      />
      {layout.shown && (
        <>
          {tool(t('Clear all filters'), <FilterRemove />, editing.clearFilters)}
          <span className="rs-muted">
            {t('{shown} of {count, plural, one {# row} other {# rows}} shown', {
              shown: shownRowCount({ rows, shape }, layout),
              count: total,
            })}
          </span>
        </>
      )}
    </div>
  );
}
