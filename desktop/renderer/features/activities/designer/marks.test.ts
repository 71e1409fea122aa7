import { describe, expect, it } from 'vitest';
import { designSheet } from '#test/support/design-sheet.ts';
import type { Mark, ProposedMark } from '#shared/contract/designs.ts';
import { allowedValues, withAllowedValues } from './allowed-values.ts';
import {
  addMark,
  concerns,
  inOrder,
  inRole,
  isRemovable,
  moveToRange,
  openProposals,
  preselected,
  reordered,
  withOption,
  withoutMarks,
} from './marks.ts';

const mark = (Range: string, given: Partial<Mark> = {}): Mark => ({
  Role: 'Input',
  Name: Range,
  Sheet: 'Sheet1',
  Range,
  Options: {},
  ...given,
});

describe('marks', () => {
  it('are refused where they overlap, with the name of the other', () => {
    const marks = [mark('B2:C4', { Name: 'Rates' })];
    expect(addMark(marks, mark('C4:D9'))).toContain('Rates (Sheet1!B2:C4)');
    expect(addMark(marks, mark('C5'))).toHaveLength(2);
    expect(addMark(marks, mark('C4', { Sheet: 'Other' }))).toHaveLength(2);
    expect(moveToRange([...marks, mark('F1')], 'Sheet1!F1', { Sheet: 'Sheet1', Range: 'B3' })).toContain('Rates');
  });

  it('get another name where theirs is taken in the same role', () => {
    const marks = [mark('A1', { Name: 'Price' })];
    const more = addMark(marks, mark('A2', { Name: 'price' })) as Mark[];
    expect(more.map(({ Name }) => Name)).toEqual(['Price', 'price 2']);
    expect((addMark(marks, mark('A2', { Name: 'Price', Role: 'Output' })) as Mark[])[1]!.Name).toBe('Price');
  });

  it('stand as the form has them, and keep the order that they are given', () => {
    const sheets = [designSheet(), designSheet({ Name: 'Other' })];
    const marks = [mark('A1', { Sheet: 'Other' }), mark('A9'), mark('B2'), mark('A2')];
    const ordered = inOrder(marks, 'Input', sheets);
    expect(ordered.map(({ Sheet, Range }) => `${Sheet}!${Range}`)).toEqual([
      'Sheet1!A2',
      'Sheet1!B2',
      'Sheet1!A9',
      'Other!A1',
    ]);
    const again = inOrder(reordered(marks, ordered, 3, 0), 'Input', sheets);
    expect(again.map(({ Options, Sheet }) => [Options.Order, Sheet])[0]).toEqual(['1', 'Other']);
    expect(reordered(marks, ordered, 0, 9)).toBe(marks);
  });

  it('of Excel tables that are named so cannot be removed here', () => {
    const table = mark('A1:B9', { Table: 'in_Deals' });
    expect(isRemovable(table)).toBe(false);
    expect(withoutMarks([table, mark('D1')], new Set(['Sheet1!A1:B9', 'Sheet1!D1']))).toEqual([table]);
  });

  it('leave behind what the other role does not have', () => {
    const input = mark('A1', { Options: { Section: 'Terms', Description: 'In years', Order: '2' } });
    expect(inRole(input, 'Output').Options).toEqual({ Description: 'In years' });
    expect(withOption(input, 'Section', '').Options).toEqual({ Description: 'In years', Order: '2' });
  });

  it('have the problems that name one of their cells', () => {
    const problem = { Sheet: 'Sheet1', Cell: 'B3', Message: '', Remedy: '' };
    expect(concerns(problem, mark('B2:C4'))).toBe(true);
    expect(concerns({ ...problem, Sheet: 'Other' }, mark('B2:C4'))).toBe(false);
    expect(concerns({ ...problem, Cell: '' }, mark('B2:C4'))).toBe(false);
  });
});

it('a new design begins with the proposals that are certain, and offers the others', () => {
  const proposal = (Range: string, Preselected: boolean): ProposedMark => ({
    ...mark(Range),
    Preselected,
    Score: 0.5,
    Reason: { code: 'readByFormulas', readers: 3 },
  });
  const proposals = [proposal('B1', true), proposal('B2', false), proposal('A1:B2', true)];
  const marks = preselected(proposals);
  expect(marks.map(({ Range }) => Range)).toEqual(['B1']);
  expect(openProposals(proposals, marks).map(({ Range }) => Range)).toEqual(['B2']);
});

describe('allowed values', () => {
  it('are written as the Portal sheet has them, and read again', () => {
    const typed = withAllowedValues(mark('A1'), { kind: 'Typed', text: 'EUR\n 3" pipe , USD\n', isOpen: true });
    expect(typed.Options).toEqual({ Picker: 'List', PickerSource: '*"EUR,3"" pipe,USD"' });
    expect(allowedValues(typed)).toEqual({ kind: 'Typed', text: 'EUR\n3" pipe\nUSD', isOpen: true });
    const cells = withAllowedValues(typed, { kind: 'Range', text: '=Lists!A2:A9', isOpen: false });
    expect(allowedValues(cells)).toEqual({ kind: 'Range', text: 'Lists!A2:A9', isOpen: false });
    expect(withAllowedValues(cells, { kind: 'Cells', text: '', isOpen: false }).Options).toEqual({});
  });

  it('that only Excel can change stay as they are', () => {
    const query = mark('A1', { Options: { Picker: 'Database', PickerSource: 'Warehouse: SELECT 1' } });
    expect(allowedValues(query).kind).toBe('Other');
    expect(withAllowedValues(query, { ...allowedValues(query), text: 'x' })).toBe(query);
  });
});
