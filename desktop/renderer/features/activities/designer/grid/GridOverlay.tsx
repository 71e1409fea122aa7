import { ArrowLeft, ArrowRight, Lightbulb, WarningSign } from '@blueprintjs/icons';
import type { CSSProperties } from 'react';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { ShownMark } from '../marks.ts';
import { blockOfCell } from './blocks.ts';
import type { GridView } from './grid-view.ts';
import { boxOf, type SheetLayout } from './sheet-layout.ts';
import type { TagPlace } from './tag-places.ts';

interface GridOverlayProps {
  view: GridView;
  /** Where the names of the marks stand, by their keys. */
  tags: ReadonlyMap<string, TagPlace>;
  /** Returns true if the block is near the drawn cells. Other marks are not drawn. */
  isNear: (block: CellBlock) => boolean;
  selected: CellBlock;
  active: CellPosition;
  /** Key of the mark whose details are shown. */
  chosen: string | null;
  /** True after selecting by touch: the selection then has a draggable corner. */
  hasHandle: boolean;
}

const boxStyle = (layout: SheetLayout, block: CellBlock): CSSProperties => {
  const { left, top, width, height } = boxOf(layout, block);
  return { insetInlineStart: left, top, width, height };
};

/** Draws the selection and the marks over the cells. Screen readers get the same information from the cell labels. */
export function GridOverlay({ view, tags, isNear, selected, active, chosen, hasHandle }: GridOverlayProps) {
  const { layout, marks } = view;
  const near = marks.filter(({ block }) => isNear(block));
  const activeBlock = layout.merges.at(active.row, active.col) ?? blockOfCell(active);
  return (
    <div className="rs-sheet-overlay" aria-hidden>
      {near.map((mark) => (
        <div key={mark.key} className={classOf(mark, mark.key === chosen)} style={boxStyle(layout, mark.block)} />
      ))}
      {near.map((mark) => {
        const at = tags.get(mark.key);
        return at && <Tag key={mark.key} mark={mark} at={at} />;
      })}
      <div className="rs-sheet-selection" style={boxStyle(layout, selected)}>
        {hasHandle && <span className="rs-sheet-handle" data-handle="end" />}
      </div>
      <div className="rs-sheet-active" style={boxStyle(layout, activeBlock)} />
    </div>
  );
}

const classOf = ({ role, kind, problems }: ShownMark, isChosen: boolean): string =>
  ['rs-mark', `is-${role.toLowerCase()}`, `is-${kind}`, isChosen && 'is-chosen', problems > 0 && 'has-problems']
    .filter(Boolean)
    .join(' ');

/** The name of a mark. Under the pointer, a shortened name becomes whole. */
function Tag({ mark, at: { left, top, width, height, isStrip } }: { mark: ShownMark; at: TagPlace }) {
  const Icon = mark.kind === 'proposal' ? Lightbulb : mark.role === 'Input' ? ArrowRight : ArrowLeft;
  const form = isStrip ? ' is-strip' : '';
  return (
    <span
      className={`rs-mark-tag is-${mark.role.toLowerCase()} is-${mark.kind}${form}`}
      style={
        {
          insetInlineStart: left,
          top,
          '--rs-tag-width': `${width}px`,
          '--rs-tag-height': `${height}px`,
        } as CSSProperties
      }
      data-mark={mark.key}
      title={mark.name}
    >
      {mark.problems > 0 ? <WarningSign size={10} title={false} /> : <Icon size={10} title={false} />}
      <span dir="auto">{mark.name}</span>
    </span>
  );
}
