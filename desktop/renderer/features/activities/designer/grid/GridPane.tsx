import type { CSSProperties, ReactNode } from 'react';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import { isInBlock } from './blocks.ts';
import { GridCell } from './GridCell.tsx';
import { GridRow } from './GridRow.tsx';
import type { GridView } from './grid-view.ts';
import { mergedCell } from './merged-cell.ts';
import { HEAD_HEIGHT } from './sheet-layout.ts';

interface GridPaneProps {
  view: GridView;
  className: string;
  style: CSSProperties;
  /** The cells to draw. Empty if its end is before its beginning. */
  block: CellBlock;
  active: CellPosition;
  selected: CellBlock;
  version: number;
  /** True if the pane shows row numbers or column letters. */
  hasRowHeads?: boolean;
  hasColumnHeads?: boolean;
  /** Drawn above the cells: the selection and the marks. */
  children: ReactNode;
  /** True if the active cell belongs to this pane. The pane draws it even out of sight, because it has the focus. */
  isActiveHere: boolean;
}

/** A part of the sheet that scrolls in one way: the frozen corner, frozen rows, frozen columns, or the rest. */
export function GridPane(props: GridPaneProps) {
  const { view, block, active, selected, version, isActiveHere } = props;
  const rows: number[] = [];
  for (let row = block.top; row <= block.bottom; row += 1) rows.push(row);
  const activeMerge = view.layout.merges.at(active.row, active.col);
  if (isActiveHere && !activeMerge && !rows.includes(active.row)) rows.push(active.row);
  const merges = view.layout.merges.in(block);
  if (isActiveHere && activeMerge && !merges.includes(activeMerge)) merges.push(activeMerge);
  return (
    <div className={`rs-sheet-pane ${props.className}`} role="rowgroup" style={props.style}>
      {rows.map((row) => {
        const isFar = row < block.top || row > block.bottom;
        return (
          <GridRow
            key={row}
            view={view}
            row={row}
            firstCol={block.left}
            lastCol={isFar ? block.left - 1 : block.right}
            activeCol={isActiveHere && row === active.row && !activeMerge ? active.col : null}
            hasHead={props.hasRowHeads === true && !isFar}
            isSelected={props.hasRowHeads === true && row >= selected.top && row <= selected.bottom}
            version={version}
          />
        );
      })}
      {merges.map((merge) => (
        <MergedCell
          key={`${merge.top}/${merge.left}`}
          view={view}
          merge={merge}
          isActive={isActiveHere && isInBlock(merge, active.row, active.col)}
        />
      ))}
      {props.hasColumnHeads && <ColumnHeads view={view} block={block} selected={selected} />}
      {props.children}
    </div>
  );
}

/** Merged cells, drawn as one cell. */
function MergedCell({ view, merge, isActive }: { view: GridView; merge: CellBlock; isActive: boolean }) {
  const { rows, cols } = view.layout;
  const width = cols.offset(merge.right + 1) - cols.offset(merge.left);
  const height = rows.offset(merge.bottom + 1) - rows.offset(merge.top);
  if (width === 0 || height === 0) return null;
  const shown = mergedCell(view, merge);
  return (
    <div
      className="rs-sheet-row rs-sheet-merged"
      role="row"
      aria-rowindex={merge.top + 2}
      style={{ top: rows.offset(merge.top) + HEAD_HEIGHT }}
    >
      <GridCell
        view={view}
        row={merge.top}
        col={merge.left}
        width={width}
        height={height}
        shown={shown}
        isActive={isActive}
        isComing={shown === undefined}
        isCovered={false}
        rowSpan={merge.bottom - merge.top + 1}
        colSpan={merge.right - merge.left + 1}
      />
    </div>
  );
}

function ColumnHeads({ view: { layout }, block, selected }: { view: GridView; block: CellBlock; selected: CellBlock }) {
  const heads: ReactNode[] = [];
  for (let col = block.left; col <= block.right; col += 1) {
    const width = layout.cols.size(col);
    if (width === 0) continue;
    heads.push(
      <div
        key={col}
        role="columnheader"
        className={col >= selected.left && col <= selected.right ? 'rs-sheet-head is-selected' : 'rs-sheet-head'}
        aria-colindex={col + 2}
        data-head-col={col}
        style={{ insetInlineStart: layout.cols.offset(col) + layout.headWidth, width }}
      >
        {columnLetters(col)}
      </div>,
    );
  }
  if (heads.length === 0) return null;
  return (
    <div className="rs-sheet-row rs-sheet-heads" role="row" aria-rowindex={1} style={{ top: 0, height: HEAD_HEIGHT }}>
      {heads}
    </div>
  );
}
