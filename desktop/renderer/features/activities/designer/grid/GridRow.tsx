import { memo, type ReactNode } from 'react';
import { GridCell } from './GridCell.tsx';
import type { GridView } from './grid-view.ts';
import { rowContent } from './row-content.ts';
import { HEAD_HEIGHT } from './sheet-layout.ts';

interface GridRowProps {
  view: GridView;
  row: number;
  firstCol: number;
  lastCol: number;
  /** The column of the active cell; null if the active cell is in another row or pane. */
  activeCol: number | null;
  /** True if the row number is shown. */
  hasHead: boolean;
  isSelected: boolean;
  /** Changes when cells arrive, so that the row renders again. */
  version: number;
}

/** The part of a row that lies in one pane. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { view, row, firstCol, lastCol, activeCol, hasHead, isSelected } = props;
  const { layout, cells, sheet } = view;
  const height = layout.rows.size(row);
  if (height === 0) return null;
  const found = cells.row(sheet, row);
  const content = found ? rowContent(view, row, [firstCol, lastCol], found) : null;
  const shown = new Map(content?.cells.map((cell) => [cell.col, cell]));
  const columns = new Set(shown.keys());
  for (let col = firstCol; col <= lastCol; col += 1) columns.add(col);
  if (activeCol !== null) columns.add(activeCol);
  const drawn: ReactNode[] = [];
  for (const col of [...columns].sort((a, b) => a - b)) {
    const width = layout.cols.size(col);
    // Merged cells are drawn as a whole above the rows.
    if (width === 0 || layout.merges.at(row, col)) continue;
    drawn.push(
      <GridCell
        key={col}
        view={view}
        row={row}
        col={col}
        width={width}
        shown={shown.get(col)}
        isActive={col === activeCol}
        isComing={found === undefined}
        isCovered={content?.covered.has(col) ?? false}
      />,
    );
  }
  return (
    <div
      className="rs-sheet-row"
      role="row"
      aria-rowindex={row + 2}
      style={{ top: layout.rows.offset(row) + HEAD_HEIGHT, height }}
    >
      {hasHead && (
        <div
          role="rowheader"
          className={isSelected ? 'rs-sheet-head is-selected' : 'rs-sheet-head'}
          aria-colindex={1}
          data-head-row={row}
          style={{ width: layout.headWidth, insetInlineStart: 0 }}
        >
          {row + 1}
        </div>
      )}
      {drawn}
    </div>
  );
});
