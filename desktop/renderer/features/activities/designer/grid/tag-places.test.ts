import { describe, expect, it } from 'vitest';
import { boxOf, layoutOf, type Viewport } from './sheet-layout.ts';
import { blockOfRange } from './blocks.ts';
import { placeTags, type TaggedMark, type TagPlace } from './tag-places.ts';
import { designSheet } from '#test/support/design-sheet.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

const layout = layoutOf(designSheet({ Heights: [[6, 6, 8]] }));
const END = layout.headWidth + layout.cols.total;
const WIDTH = 100;

const marked = (range: string, change: Partial<TaggedMark> = {}): TaggedMark => {
  const block = blockOfRange(range);
  return {
    key: range,
    box: boxOf(layout, block),
    rowHeight: layout.rows.size(block.top),
    textEnd: 0,
    width: WIDTH,
    ...change,
  };
};

const place = (...marks: readonly (string | TaggedMark)[]): Record<string, TagPlace> =>
  Object.fromEntries(
    placeTags(
      marks.map((mark) => (typeof mark === 'string' ? marked(mark) : mark)),
      END,
    ),
  );

const overlap = (a: Viewport, b: Viewport): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;

const endOf = ({ left, width }: Viewport): number => left + width;

describe('the name of a mark', () => {
  it('stands after its first row', () => {
    const { box } = marked('B3:C9');
    expect(place('B3:C9')).toEqual({
      'B3:C9': { left: endOf(box) + 1, top: box.top, width: WIDTH, height: 18, isStrip: false },
    });
  });

  it('is shortened before what follows', () => {
    // Columns have 64 pixels, so less than the whole name fits between B and D.
    expect(place('B3', 'D2:D5')['B3']).toMatchObject({ width: 62, isStrip: false });
    expect(place('B3', 'D2')['B3']).toMatchObject({ width: WIDTH });
  });

  it('becomes a strip inside the top edge of a mark that another one follows directly', () => {
    const { B3, C3 } = place('B3', 'C3');
    const { box } = marked('B3');
    expect(B3).toEqual({ left: endOf(box) - 16, top: box.top, width: 16, height: 4, isStrip: true });
    expect(C3).toMatchObject({ width: WIDTH, isStrip: false });
  });

  it('stands after a text that runs over blank neighbors', () => {
    const textEnd = endOf(marked('D3').box);
    expect(place(marked('B3', { textEnd }))['B3']).toMatchObject({ left: textEnd + 1, width: WIDTH });
    expect(place(marked('B3', { textEnd }), 'E3')['B3']).toMatchObject({ isStrip: true });
  });

  it('does not reach beyond the sheet or a low row', () => {
    expect(place('Q3')['Q3']).toMatchObject({ width: 63 });
    expect(place('B7')['B7']).toMatchObject({ height: 8 });
  });

  it('has no place before its text is known, or if the mark is hidden', () => {
    const { box } = marked('B3');
    expect(place(marked('B3', { textEnd: null }))).toEqual({});
    expect(place(marked('B3', { box: { ...box, height: 0 } }))).toEqual({});
  });

  it('covers no other name where proposals overlap', () => {
    const places = Object.values(place('B3:C5', 'B3:C4', 'C3:C6', 'D3'));
    for (const [at, one] of places.entries())
      for (const other of places.slice(at + 1)) expect(overlap(one, other)).toBe(false);
  });
});

it('names of marks that do not overlap cover no mark and no other name', () => {
  const random = seededRandom(7);
  const below = (limit: number): number => random.between(0, limit - 1);
  for (let round = 0; round < 200; round += 1) {
    const marks: TaggedMark[] = [];
    for (let count = 0; count < 25; count += 1) {
      const [top, left] = [below(10), below(8)];
      const block = { top, left, bottom: top + below(3), right: left + below(3) };
      const box = boxOf(layout, block);
      if (marks.some((mark) => overlap(mark.box, box))) continue;
      const textEnd = endOf(box) + 64 * below(2);
      marks.push({ key: String(count), box, rowHeight: layout.rows.size(top), textEnd, width: 30 + below(100) });
    }
    const places = placeTags(marks, END);
    for (const { key, box, textEnd } of marks) {
      const tag = places.get(key)!;
      if (!tag.isStrip) expect(tag.left).toBeGreaterThan(textEnd!);
      for (const mark of marks) if (!(tag.isStrip && mark.box === box)) expect(overlap(tag, mark.box)).toBe(false);
      for (const [other, place] of places) if (other !== key) expect(overlap(tag, place)).toBe(false);
    }
  }
});
