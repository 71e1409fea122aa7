import type { CSSProperties } from 'react';
import type { GridView } from './grid-view.ts';
import { cellLabel } from './grid-view.ts';
import type { ShownCell } from './row-content.ts';

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

const JUSTIFY = { left: 'flex-start', right: 'flex-end', center: 'center' } as const;

/** One cell with its background, text and borders. */
export function GridCell(props: GridCellProps) {
  const { view, row, col, width, height, shown, isActive, isComing, isCovered, rowSpan, colSpan } = props;
  const look = shown?.look ?? null;
  const style: CSSProperties = {
    ...look?.style,
    insetInlineStart: view.layout.cols.offset(col) + view.layout.headWidth,
    width,
    ...(height === undefined ? {} : { height }),
    ...(shown ? { justifyContent: JUSTIFY[shown.align] } : {}),
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
      {shown && shown.text !== '' && <CellText shown={shown} />}
      {look?.borders && <i className="rs-cell-borders" style={look.borders} />}
    </div>
  );
}

function CellText({ shown: { text, look, align, indent, before, after } }: { shown: ShownCell }) {
  if (look?.look.Wrap)
    return (
      <span className="rs-cell-text rs-cell-wrapped" style={{ textAlign: align, paddingInline: indent }}>
        {text}
      </span>
    );
  return (
    <span
      className="rs-cell-text"
      style={{
        textAlign: align,
        paddingInline: indent,
        marginInlineStart: -before,
        marginInlineEnd: -after,
        flexGrow: before + after > 0 ? 1 : 0,
      }}
    >
      {text}
    </span>
  );
}
