import type { CSSProperties } from 'react';
import type { GridView } from './grid-view.ts';
import { cellLabel } from './grid-view.ts';
import type { ShownCell } from './row-content.ts';
import { cellEnd } from './text-align.ts';

interface GridCellProps {
  view: GridView;
  row: number;
  col: number;
  width: number;
  /** Height of merged cells; by default the height of the row. */
  height?: number;
  shown: ShownCell | undefined;
  isActive: boolean;
  /** True if the cell is not fetched yet. */
  isComing: boolean;
  /** True if a neighbor's text is drawn over the end of this cell. */
  isCovered: boolean;
  rowSpan?: number;
  colSpan?: number;
}

const JUSTIFY = { start: 'flex-start', end: 'flex-end', center: 'center' } as const;

/** One cell with its background, text and borders. */
export function GridCell(props: GridCellProps) {
  const { view, row, col, width, height, shown, isActive, isComing, isCovered, rowSpan, colSpan } = props;
  const { isRightToLeft } = view.layout;
  const look = shown?.look ?? null;
  const style: CSSProperties = {
    ...look?.style,
    insetInlineStart: view.layout.cols.offset(col) + view.layout.headWidth,
    width,
    ...(height === undefined ? {} : { height }),
    ...(shown ? { justifyContent: JUSTIFY[cellEnd(shown.align, isRightToLeft)] } : {}),
  };
  const hasLine = view.design.Sheets[view.sheet]!.ShowsGridLines && !isCovered && !look?.look.Fill;
  return (
    <div
      role="gridcell"
      className={`rs-cell${hasLine ? ' rs-cell-lined' : ''}`}
      style={style}
      data-row={row}
      data-col={col}
      tabIndex={isActive ? 0 : -1}
      aria-colindex={col + 2}
      aria-rowspan={rowSpan}
      aria-colspan={colSpan}
      aria-selected={isActive}
      aria-label={cellLabel(view, row, col, shown?.text)}
    >
      {isComing && <span className="rs-cell-coming" />}
      {shown && shown.text !== '' && <CellText shown={shown} isRightToLeft={isRightToLeft} />}
      {look?.borders && <i className="rs-cell-borders" style={look.borders} />}
    </div>
  );
}

/** The text of a cell in its own direction, which may differ from that of the sheet. */
function CellText({ shown, isRightToLeft }: { shown: ShownCell; isRightToLeft: boolean }) {
  const { text, look, align, indent, before, after } = shown;
  if (look?.look.Wrap)
    return (
      <span className="rs-cell-text rs-cell-wrapped" dir="auto" style={{ textAlign: align, paddingInline: indent }}>
        {text}
      </span>
    );
  return (
    <span
      className="rs-cell-text"
      dir="auto"
      style={{
        textAlign: align,
        paddingInline: indent,
        // Logical margins would follow the direction of the text instead of that of the sheet.
        marginLeft: isRightToLeft ? -after : -before,
        marginRight: isRightToLeft ? -before : -after,
        flexGrow: before + after > 0 ? 1 : 0,
      }}
    >
      {text}
    </span>
  );
}
