import { describe, expect, it } from 'vitest';
import { moveSelection, selectCell, selectedBlock } from './grid-selection.ts';

const size = { rows: 100, cols: 4, page: 9 };
const press = (key: string, options: { ctrl?: boolean; shift?: boolean } = {}) => ({
  key,
  ctrl: options.ctrl ?? false,
  shift: options.shift ?? false,
});

describe('moving in an input grid', () => {
  it('stops at the edges', () => {
    expect(moveSelection(selectCell(0, 0), press('ArrowUp'), size)!.active).toEqual({ row: 0, col: 0 });
    expect(moveSelection(selectCell(99, 3), press('ArrowRight'), size)!.active).toEqual({ row: 99, col: 3 });
  });
  it('goes to the ends with Ctrl, and by pages', () => {
    expect(moveSelection(selectCell(5, 2), press('End', { ctrl: true }), size)!.active).toEqual({ row: 99, col: 3 });
    expect(moveSelection(selectCell(5, 2), press('ArrowDown', { ctrl: true }), size)!.active.row).toBe(99);
    expect(moveSelection(selectCell(5, 2), press('PageDown'), size)!.active.row).toBe(14);
  });
  it('selects from where it began with Shift, and everything with Ctrl+A', () => {
    const one = moveSelection(selectCell(5, 2), press('ArrowLeft', { shift: true }), size)!;
    const two = moveSelection(one, press('ArrowDown', { shift: true }), size)!;
    expect(selectedBlock(two)).toEqual({ top: 5, left: 1, bottom: 6, right: 2 });
    expect(selectedBlock(moveSelection(two, press('a', { ctrl: true }), size)!)).toEqual({
      top: 0,
      left: 0,
      bottom: 99,
      right: 3,
    });
  });
  it('leaves other keys alone', () => {
    expect(moveSelection(selectCell(5, 2), press('x'), size)).toBeNull();
  });
});
