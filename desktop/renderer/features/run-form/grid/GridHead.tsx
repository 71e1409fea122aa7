import { PopoverNext } from '@blueprintjs/core';
import { CaretDown, Filter } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import type { GridView } from './GridRowView.tsx';
import type { ColumnMenuProps } from './ColumnMenu.tsx';
import type { useColumnResize } from './use-column-resize.ts';

const ColumnMenu = lazyPart<ColumnMenuProps>(async () => (await import('./ColumnMenu.tsx')).ColumnMenu);

interface GridHeadProps {
  view: GridView;
  resize: ReturnType<typeof useColumnResize>;
  /** The column whose menu is open. */
  menu: number | null;
  onMenu: (col: number | null) => void;
}

/** Column headings, each with a draggable edge and a menu. */
export function GridHead({ view, resize, menu, onMenu }: GridHeadProps) {
  const { offsets, headWidth, shape } = view;
  const isFrozen = (col: number): boolean => col < view.frozen;
  const columns = Array.from({ length: shape.width }, (_, col) => col).filter((col) => !shape.isHidden(col));
  const header = (col: number) => (
    <ColumnHeader key={col} view={view} col={col} resize={resize} isOpen={menu === col} onMenu={onMenu} />
  );
  return (
    <div role="rowgroup" className="rs-input-grid-head" style={{ width: headWidth + offsets.at(-1)! }}>
      <div role="row" aria-rowindex={1} className="rs-input-grid-row">
        <div role="presentation" className="rs-input-grid-fixed" style={{ width: headWidth + view.frozenWidth }}>
          <div role="columnheader" aria-colindex={1} className="rs-input-grid-corner" style={{ width: headWidth }}>
            <span className="rs-visually-hidden">{t('Row')}</span>
          </div>
          {columns.filter(isFrozen).map(header)}
        </div>
        {columns.filter((col) => !isFrozen(col)).map(header)}
      </div>
    </div>
  );
}

interface ColumnHeaderProps {
  view: GridView;
  col: number;
  resize: GridHeadProps['resize'];
  isOpen: boolean;
  onMenu: GridHeadProps['onMenu'];
}

function ColumnHeader({ view, col, resize, isOpen, onMenu }: ColumnHeaderProps) {
  const { offsets, headWidth, shape, columnNames, columnNotes, editing } = view;
  const width = offsets[col + 1]! - offsets[col]!;
  const isFiltered = editing.layout.filters.has(col);
  const name = columnNames[col] || t('Column {col}', { col: col + 1 });
  return (
    <div
      role="columnheader"
      aria-colindex={col + 2}
      title={columnNames[col]}
      data-head={col}
      className={`rs-input-grid-heading rs-usage-${shape.kind(0, col).usage}`}
      style={{ left: headWidth + offsets[col]!, width }}
    >
      <span className="rs-input-grid-text">
        {columnNames[col] || <span className="rs-muted">{col + 1}</span>}
        {columnNotes[col] && <span className="rs-input-grid-hint"> {columnNotes[col]}</span>}
      </span>
      {view.hasMenus && (
        <button
          type="button"
          tabIndex={-1}
          className={isFiltered ? 'rs-grid-menu is-filtered' : 'rs-grid-menu'}
          aria-label={t(isFiltered ? 'Sort and filter {name}, filtered' : 'Sort and filter {name}', { name })}
          title={t('Sort and filter (Alt+Down)')}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => onMenu(isOpen ? null : col)}
        >
          {isFiltered ? <Filter size={12} /> : <CaretDown size={12} />}
        </button>
      )}
      {isOpen && (
        <PopoverNext
          isOpen
          placement="bottom-end"
          animation="minimal"
          arrow={false}
          onInteraction={(next) => !next && onMenu(null)}
          content={<ColumnMenu view={view} col={col} name={name} width={width} onClose={() => onMenu(null)} />}
          // The button beside it declares the dialog; this element is only its anchor.
          renderTarget={({ ref }) => <span ref={ref} className="rs-grid-menu-anchor" />}
        />
      )}
      <span className="rs-grid-edge" {...resize.handlersOf(col, width)} />
    </div>
  );
}
