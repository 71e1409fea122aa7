import { t } from '#renderer/language/translate.ts';
import { selectedBlock } from './grid-selection.ts';
import { ROW_HEIGHT } from './grid-window.ts';
import type { GridEditing } from './use-grid-editing.ts';
import type { FillTarget } from './fill-cells.ts';
import { mapSelection, screenRowOf } from './grid-layout.ts';
import type { GridGeometry, useFillHandle } from './use-fill-handle.ts';

interface GridOverlayProps {
  editing: GridEditing;
  geometry: GridGeometry;
  frozen: number;
  fill: ReturnType<typeof useFillHandle>;
  disabled: boolean;
}

/** Drawn over the cells: the fill handle at the corner of the selection, and a preview of the filled cells. */
export function GridOverlay({ editing, geometry, frozen, fill, disabled }: GridOverlayProps) {
  const { selection, rows, layout } = editing;
  const { offsets, headWidth } = geometry;
  if (disabled || rows.length === 0) return null;
  const block = selectedBlock(mapSelection(selection, (row) => screenRowOf(row, rows, layout.shown)));
  const right = Math.min(block.right, offsets.length - 2);
  const filled = fill.target && fill.target.count > 0 ? filledBlock(block, fill.target) : null;
  return (
    <>
      {filled && (
        <div
          className="rs-grid-filled"
          style={{
            top: filled.top * ROW_HEIGHT,
            left: headWidth + offsets[Math.max(0, filled.left)]!,
            width: offsets[Math.min(filled.right + 1, offsets.length - 1)]! - offsets[Math.max(0, filled.left)]!,
            height: (filled.bottom - filled.top + 1) * ROW_HEIGHT,
          }}
        />
      )}
      {/* The handle of a frozen column stays in place with its column. */}
      <div className={right < frozen ? 'rs-grid-overlay is-frozen' : 'rs-grid-overlay'}>
        <div
          className="rs-grid-fill-handle"
          title={t('Drag to fill; hold Ctrl to copy or count')}
          style={{ top: (block.bottom + 1) * ROW_HEIGHT, left: headWidth + offsets[right + 1]! }}
          {...fill.handlers}
        />
      </div>
    </>
  );
}

function filledBlock(block: ReturnType<typeof selectedBlock>, { direction, count }: FillTarget) {
  switch (direction) {
    case 'down':
      return { ...block, bottom: block.bottom + count };
    case 'up':
      return { ...block, top: block.top - count };
    case 'right':
      return { ...block, right: block.right + count };
    default:
      return { ...block, left: block.left - count };
  }
}

/** Returns the number of rows that the body needs. The cells to fill may be below the last row. */
export function rowsWithFill(count: number, editing: GridEditing, target: FillTarget | null): number {
  if (target?.direction !== 'down' || target.count === 0) return count;
  const { selection, rows, layout } = editing;
  const { bottom } = selectedBlock(mapSelection(selection, (row) => screenRowOf(row, rows, layout.shown)));
  return Math.max(count, bottom + target.count + 1);
}
