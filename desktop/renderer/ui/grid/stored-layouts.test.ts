import { describe, expect, test } from 'vitest';
import { chosenWidth, layoutOf, readLayouts, withLayout, type ListLayouts } from './stored-layouts.ts';

const LAYOUT = { widths: { name: 210 }, frozen: 1 };

describe('the stored layouts of lists', () => {
  test('are read as they were written', () => {
    const layouts = withLayout({}, 'users', LAYOUT);
    expect(readLayouts(JSON.stringify(layouts))).toEqual({ users: LAYOUT });
  });

  test('without those that cannot be read', () => {
    expect(readLayouts(null)).toEqual({});
    expect(readLayouts('{')).toEqual({});
    expect(readLayouts('[1]')).toEqual({});
    const stored = { a: 1, b: { widths: { x: 'wide', y: 90, z: -1 }, frozen: 'yes' }, c: { frozen: 1 } };
    expect(readLayouts(JSON.stringify(stored))).toEqual({ b: { widths: { y: 90 } } });
  });

  test('forget a list that is as wide as its content again', () => {
    expect(withLayout({ users: LAYOUT }, 'users', { widths: {} })).toEqual({});
    expect(withLayout({}, 'users', { widths: {}, frozen: 0 })).toEqual({ users: { widths: {}, frozen: 0 } });
  });

  test('do not confuse names with properties that every object has', () => {
    expect(layoutOf({}, 'constructor')).toBeUndefined();
    expect(chosenWidth(LAYOUT, 'toString')).toBeUndefined();
    expect(chosenWidth(LAYOUT, 'name')).toBe(210);
  });

  test('keep the 200 that were changed last', () => {
    let layouts: ListLayouts = {};
    for (let at = 0; at < 200; at += 1) layouts = withLayout(layouts, `list ${at}`, LAYOUT);
    layouts = withLayout(layouts, 'list 0', { widths: { name: 90 } });
    layouts = withLayout(layouts, 'list 200', LAYOUT);
    expect(Object.keys(layouts)).toHaveLength(200);
    expect(layouts['list 0']).toEqual({ widths: { name: 90 } });
    expect(layouts['list 1']).toBeUndefined();
  });
});
