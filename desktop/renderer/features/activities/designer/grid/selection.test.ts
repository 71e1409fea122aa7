import { describe, expect, it } from 'vitest';
import { designSheet } from '#test/support/design-sheet.ts';
import { dataEdge } from './data-edge.ts';
import { arrowStep, moveFrom, selectedBlock, stepFrom } from './selection.ts';
import { createSheetCells } from './sheet-cells.ts';
import { layoutOf, scrollTo, windowOf } from './sheet-layout.ts';

const sheet = designSheet({
  Rows: 100,
  Columns: 6,
  Merges: [[1, 1, 2, 3]],
  Heights: [[5, 8, 0]],
  Widths: [[4, 4, 0]],
  FrozenRows: 1,
  FrozenColumns: 1,
});
const layout = layoutOf(sheet);
const page = { page: 20 };

describe('moving in a sheet', () => {
  it('passes merged cells whole', () => {
    expect(stepFrom({ row: 1, col: 1 }, [1, 0], layout)).toEqual({ row: 3, col: 1 });
    expect(stepFrom({ row: 1, col: 1 }, [0, 1], layout)).toEqual({ row: 1, col: 5 });
  });

  it('passes hidden rows and columns', () => {
    expect(moveFrom({ row: 4, col: 3 }, { key: 'ArrowDown', ctrl: false }, layout, page)).toEqual({ row: 9, col: 3 });
    expect(moveFrom({ row: 9, col: 3 }, { key: 'ArrowRight', ctrl: false }, layout, page)).toEqual({ row: 9, col: 5 });
  });

  it('knows ends and pages', () => {
    expect(moveFrom({ row: 40, col: 3 }, { key: 'Home', ctrl: false }, layout, page)).toEqual({ row: 40, col: 0 });
    expect(moveFrom({ row: 40, col: 3 }, { key: 'End', ctrl: true }, layout, page)).toEqual({ row: 99, col: 5 });
    expect(moveFrom({ row: 40, col: 3 }, { key: 'PageDown', ctrl: false }, layout, page)).toEqual({ row: 60, col: 3 });
    expect(moveFrom({ row: 40, col: 3 }, { key: 'PageUp', ctrl: true }, layout, page)).toBeNull();
    expect(moveFrom({ row: 40, col: 3 }, { key: 'x', ctrl: false }, layout, page)).toBeNull();
  });

  it('turns the arrows to the sides in sheets from right to left', () => {
    expect(arrowStep('ArrowLeft', true)).toEqual([0, 1]);
    expect(arrowStep('ArrowUp', true)).toEqual([-1, 0]);
    const mirrored = layoutOf({ ...sheet, IsRightToLeft: true });
    const move = (col: number, key: string) => moveFrom({ row: 1, col }, { key, ctrl: false }, mirrored, page)?.col;
    // Column A is at the right. The merged cells B to D and the hidden column E are passed whole.
    expect([move(0, 'ArrowLeft'), move(1, 'ArrowLeft'), move(5, 'ArrowRight')]).toEqual([1, 5, 3]);
    expect([move(0, 'ArrowRight'), move(5, 'Home'), move(0, 'End')]).toEqual([0, 0, 5]);
  });

  it('selects merged cells whole', () => {
    const selection = { active: { row: 2, col: 2 }, head: { row: 3, col: 2 } };
    expect(selectedBlock(selection, layout)).toEqual({ top: 1, left: 1, bottom: 3, right: 3 });
  });
});

describe('the edge of the data', () => {
  const filled = [0, 1, 2, 3, 50, 51];
  const cells = createSheetCells([sheet], () => Promise.resolve({ Rows: filled.map((row) => [row, [[0, 0, row]]]) }));
  const edge = (row: number, step: 1 | -1) => dataEdge({ row, col: 0 }, [step, 0], { layout, cells, sheet: 0 });

  it('is the last filled cell of a block', async () => {
    expect(await edge(0, 1)).toEqual({ row: 3, col: 0 });
    expect(await edge(3, -1)).toEqual({ row: 0, col: 0 });
  });

  it('is the next filled cell after blank ones, and else the end of the sheet', async () => {
    expect(await edge(3, 1)).toEqual({ row: 50, col: 0 });
    expect(await edge(51, 1)).toEqual({ row: 99, col: 0 });
    expect(await edge(40, -1)).toEqual({ row: 3, col: 0 });
  });
});

describe('what is drawn of a sheet', () => {
  const view = { left: 0, top: 0, width: 640, height: 400 };

  it('is what is in sight with some rows around, and stays the same for a few pixels', () => {
    const first = windowOf(layout, view);
    expect(first.firstRow).toBe(1);
    expect(first.lastRow).toBeGreaterThan(20);
    expect(first.lastRow).toBeLessThan(60);
    expect(windowOf(layout, { ...view, top: 10 })).toEqual(first);
  });

  it('scrolls to what is out of sight, past what is frozen', () => {
    const block = { top: 90, left: 3, bottom: 90, right: 3 };
    const { top } = scrollTo(layout, block, view);
    expect(top).toBeGreaterThan(0);
    expect(scrollTo(layout, block, { ...view, top }).top).toBe(top);
    expect(scrollTo(layout, { top: 0, left: 0, bottom: 0, right: 0 }, { ...view, top }).top).toBe(top);
  });
});
