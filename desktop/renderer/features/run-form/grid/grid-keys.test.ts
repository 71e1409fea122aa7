import { expect, it } from 'vitest';
import { gridAction } from './grid-keys.ts';
import { selectCell } from './grid-selection.ts';

const press = (key: string, ctrl = false) =>
  gridAction(selectCell(1, 1), { key, ctrl, shift: false, alt: false }, { rows: 9, cols: 9, page: 5 });

it('a letter replaces the cell of an input grid, Enter and F2 edit what is in it', () => {
  expect(press('7')).toEqual({ kind: 'edit', text: '7' });
  expect([press('Enter'), press('F2')]).toEqual([
    { kind: 'edit', text: null },
    { kind: 'edit', text: null },
  ]);
});
it('an input grid leaves Tab, Escape and Ctrl+Enter to the page', () => {
  expect([press('Tab'), press('Escape'), press('Enter', true), press('c', true)]).toEqual([null, null, null, null]);
});
it('Delete empties cells of an input grid, Ctrl+Delete removes rows', () => {
  expect([press('Delete'), press('Delete', true)]).toEqual([{ kind: 'clear' }, { kind: 'removeRows' }]);
});
