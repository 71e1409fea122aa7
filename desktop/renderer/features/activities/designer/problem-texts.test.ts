import { expect, test } from 'vitest';
import { problemText, howToFixText } from './problem-texts.ts';

test('shapes have the words that the panel has for them', () => {
  const Message =
    "The input 'Deals' (Deals!A1:B2) is not a RangeWithColumnHeaders, which needs a row of texts at its top, or directly above it.";
  expect(problemText({ Message })).toContain('is not a “Table with headers in first row”, which needs');
});

test.each([
  ['Change the Range or the RangeType.', 'Select other cells for the mark, or choose another shape.'],
  [
    'If it contains data, enter FALSE as Headers in PortalInputs.',
    'If it contains data, choose “Data” for the first row.',
  ],
  [
    'Enter a heading in B4. If it really is a single matrix, enter MatrixWithHeaders as its RangeType in PortalInputs.',
    'Enter a heading in B4. If the range is one matrix anyway, choose its shape.',
  ],
  ['Unmerge the cells.', 'Unmerge the cells.'],
])('the remedy %o is one for this page', (Remedy, expected) => {
  expect(howToFixText({ Remedy })).toBe(expected);
});
