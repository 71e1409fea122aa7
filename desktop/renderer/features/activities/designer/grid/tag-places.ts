/**
 * Places the names of marks on the sheet. A name never covers the cells of a mark, another name, or the text in the cells
 * of its mark. All positions are in pixels from the start of the sheet.
 */
import type { Viewport } from './sheet-layout.ts';

export interface TaggedMark {
  key: string;
  /** The cells of the mark. */
  box: Viewport;
  /** Height of the first visible row. */
  rowHeight: number;
  /** Where the text of that row ends, which may run over blank neighbors; null if it is not known yet. */
  textEnd: number | null;
  /** Width of the whole name. */
  width: number;
}

export interface TagPlace extends Viewport {
  /** True for a strip inside the top edge of the mark, because there is no room for the name. */
  isStrip: boolean;
}

const TAG_HEIGHT = 18;
/** Pixels for the icon alone. */
const MIN_WIDTH = 22;
/** Text begins lower than this, even in rows of the usual height. */
const STRIP = { width: 16, height: 4, gap: 2 };

/**
 * Places names after the first row of their marks, shortened if something else follows soon. Names whose text is not
 * known yet have no place.
 * @param end where the sheet ends
 */
export function placeTags(marks: readonly TaggedMark[], end: number): Map<string, TagPlace> {
  const places = new Map<string, TagPlace>();
  const boxes = marks.map(({ box }) => box);
  const placed: Viewport[] = [];
  for (const mark of marks) {
    if (mark.textEnd === null || mark.box.width === 0 || mark.box.height === 0) continue;
    const left = Math.max(mark.box.left + mark.box.width, mark.textEnd) + 1;
    const room = Math.min(end - left, roomBefore(boxes, mark, left), roomBefore(placed, mark, left));
    const place = room < MIN_WIDTH ? stripIn(mark.box, placed) : placeAt(mark, left, room);
    places.set(mark.key, place);
    placed.push(place);
  }
  return places;
}

const heightOf = ({ rowHeight }: TaggedMark): number => Math.min(TAG_HEIGHT, rowHeight);

const placeAt = (mark: TaggedMark, left: number, room: number): TagPlace => ({
  left,
  top: mark.box.top,
  width: Math.min(mark.width, room),
  height: heightOf(mark),
  isStrip: false,
});

/** Returns the pixels between a position and the first box that follows in the row of the name. */
function roomBefore(boxes: readonly Viewport[], mark: TaggedMark, left: number): number {
  const { box: own } = mark;
  const bottom = own.top + heightOf(mark);
  let room = Infinity;
  for (const box of boxes) {
    if (box === own || box.top >= bottom || box.top + box.height <= own.top || box.left + box.width <= left) continue;
    room = Math.min(room, box.left - left - 1);
  }
  return room;
}

/** Returns a strip at the end of the top edge, before the strips of marks that overlap this one. */
function stripIn(box: Viewport, placed: readonly Viewport[]): TagPlace {
  const width = Math.min(STRIP.width, box.width);
  let left = box.left + box.width - width;
  while (left > box.left && placed.some((other) => other.top === box.top && isBeside(other, left, width)))
    left = Math.max(box.left, left - width - STRIP.gap);
  return { left, top: box.top, width, height: Math.min(STRIP.height, box.height), isStrip: true };
}

const isBeside = (other: Viewport, left: number, width: number): boolean =>
  other.left < left + width && left < other.left + other.width;
