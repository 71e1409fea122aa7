import { useEffect, useId, useLayoutEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { formatBlock, type CellBlock } from '#shared/codecs/cell-address.ts';
import { t } from '#renderer/language/translate.ts';
import { FailureState } from '#renderer/ui/states.tsx';
import { blockOfCell, blocksMeet, cellCount } from './blocks.ts';
import { moveByKey } from './grid-keys.ts';
import { GridOverlay } from './GridOverlay.tsx';
import { GridPane } from './GridPane.tsx';
import type { GridView } from './grid-view.ts';
import { tagPlaces } from './mark-tags.ts';
import { selectedBlock, type Selection } from './selection.ts';
import { HEAD_HEIGHT } from './sheet-layout.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { useGridWindow } from './use-grid-window.ts';
import './sheet-grid.css';

export interface SheetGridProps {
  label: string;
  view: GridView;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  /** Handles a key that the grid does not use. Returns true if it was handled. */
  onKey: (event: KeyboardEvent<HTMLElement>) => boolean;
  onTag: (key: string) => void;
  chosen: string | null;
  /** Changes when a block should scroll into view and, if takesFocus is set, its cell should take the focus. */
  shown: { block: CellBlock; takesFocus: boolean } | null;
}

/** Read-only view of a sheet in which cells can be selected. Only visible cells are in the DOM. */
export function SheetGrid(props: SheetGridProps) {
  const { view, selection, onSelect, shown } = props;
  const { layout, cells, sheet } = view;
  const hasFocus = useRef(false);
  const note = useId();
  const version = useStore(cells.store, (state) => state.version);
  const { scroller, window, onScroll, showBlock } = useGridWindow({ layout, cells, sheet });
  const selected = useMemo(() => selectedBlock(selection, layout), [selection, layout]);

  const select = (next: Selection): void => {
    hasFocus.current = true;
    onSelect(next);
  };
  const go = (next: Selection): void => {
    select(next);
    showBlock(blockOfCell(next.head));
  };
  const { handlers, isTouch, cancelHold } = useGridPointer({
    scroller,
    layout,
    selection,
    select,
    onTag: props.onTag,
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void =>
    moveByKey(event, {
      view,
      selection,
      select,
      go,
      onKey: props.onKey,
      page: pageRows(scroller.current, layout.rows.size(selection.head.row)),
    });

  useLayoutEffect(() => {
    if (hasFocus.current) focusActive(scroller.current);
  });
  useEffect(() => {
    if (!shown) return;
    showBlock(shown.block);
    hasFocus.current ||= shown.takesFocus;
    if (shown.takesFocus) focusActive(scroller.current);
  }, [shown, showBlock, scroller]);

  return (
    <div className="rs-sheet">
      <div
        ref={scroller}
        className="rs-sheet-scroller"
        dir={layout.isRightToLeft ? 'rtl' : 'ltr'}
        {...handlers}
        onScroll={() => {
          cancelHold();
          onScroll();
        }}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) hasFocus.current = false;
        }}
      >
        <div
          className="rs-sheet-content"
          style={{ width: layout.cols.total + layout.headWidth, height: layout.rows.total + HEAD_HEIGHT }}
        >
          <div
            role="grid"
            className="rs-sheet-panes"
            aria-label={props.label}
            aria-describedby={note}
            aria-readonly
            aria-multiselectable
            aria-rowcount={layout.rows.count + 1}
            aria-colcount={layout.cols.count + 1}
            onKeyDown={onKeyDown}
            onFocus={() => void (hasFocus.current = true)}
          >
            <Panes {...props} selected={selected} version={version} window={window} isTouch={isTouch} />
          </div>
        </div>
      </div>
      <CellFailure cells={cells} sheet={sheet} />
      <span id={note} className="rs-visually-hidden">
        {t('Press I to mark the selected cells as an input, O as an output, Delete to remove the mark.')}
      </span>
      <span className="rs-visually-hidden" role="status">
        {cellCount(selected) > 1 ? t('{range} selected', { range: formatBlock(selected) }) : ''}
      </span>
    </div>
  );
}

function CellFailure({ cells, sheet }: Pick<GridView, 'cells' | 'sheet'>) {
  const failure = useStore(cells.store, (state) => state.failure);
  if (failure?.sheet !== sheet) return null;
  const title = t('Cells of this sheet could not be loaded');
  return <FailureState title={title} error={failure.error} onRetry={cells.retry} />;
}

function focusActive(box: HTMLElement | null): void {
  const cell = box?.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]');
  if (cell && cell !== document.activeElement) cell.focus({ preventScroll: true });
}

const pageRows = (box: HTMLElement | null, height: number): number =>
  Math.max(1, Math.floor(((box?.clientHeight ?? 400) - HEAD_HEIGHT) / Math.max(8, height)) - 1);

interface PanesProps extends SheetGridProps {
  selected: CellBlock;
  version: number;
  window: { firstRow: number; lastRow: number; firstCol: number; lastCol: number };
  isTouch: boolean;
}

/** The four panes. The panes of frozen rows and columns stay in place. */
function Panes({ view, selection, selected, version, window, chosen, isTouch }: PanesProps) {
  const { frozenRows, frozenCols, frozenHeight, frozenWidth, headWidth, rows, cols } = view.layout;
  const { active } = selection;
  const tags = useMemo(() => tagPlaces(view, version), [view, version]);
  const [width, height] = [cols.total + headWidth, rows.total + HEAD_HEIGHT];
  const [headsWidth, headsHeight] = [headWidth + frozenWidth, HEAD_HEIGHT + frozenHeight];
  const main: CellBlock = {
    top: window.firstRow,
    bottom: window.lastRow,
    left: window.firstCol,
    right: window.lastCol,
  };
  const frozenTop = { top: 0, bottom: frozenRows - 1 };
  const frozenLeft = { left: 0, right: frozenCols - 1 };
  const isFrozen = { row: active.row < frozenRows, col: active.col < frozenCols };
  const pane = (block: CellBlock, isActiveHere: boolean) => ({
    view,
    block,
    active,
    selected,
    version,
    isActiveHere,
    children: (
      <GridOverlay
        view={view}
        tags={tags}
        isNear={(mark) => blocksMeet(mark, { ...block, left: Math.max(0, block.left - 4) })}
        selected={selected}
        active={active}
        chosen={chosen}
        hasHandle={isTouch}
      />
    ),
  });
  return (
    <>
      <GridPane {...pane(main, !isFrozen.row && !isFrozen.col)} className="rs-pane-main" style={{ width, height }} />
      <GridPane
        {...pane({ ...main, ...frozenLeft }, !isFrozen.row && isFrozen.col)}
        className="rs-pane-left"
        style={{ width: headsWidth, height }}
        hasRowHeads
      />
      <GridPane
        {...pane({ ...main, ...frozenTop }, isFrozen.row && !isFrozen.col)}
        className="rs-pane-top"
        style={{ width, height: headsHeight }}
        hasColumnHeads
      />
      <GridPane
        {...pane({ ...frozenTop, ...frozenLeft }, isFrozen.row && isFrozen.col)}
        className="rs-pane-corner"
        style={{ width: headsWidth, height: headsHeight }}
        hasRowHeads
        hasColumnHeads
      />
    </>
  );
}
