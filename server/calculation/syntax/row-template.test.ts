import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '#test/support/test-set.ts';
import { isFilledDown, rowTemplate } from './row-template.ts';
import { relativeKey } from './relative-key.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns true if the second text, some rows below, is the first one filled down. */
function isFilled(first: string, second: string, distance = 1): boolean {
  const template = rowTemplate(first, 1);
  const bytes = bytesOf(`<f>${second}</f>`);
  return template !== null && isFilledDown(template, bytes, 3, bytes.length - 4, 1 + distance);
}

describe('formulas that were filled down are recognised by their bytes', () => {
  it.each([
    ['D2*E2', 'D3*E3', 1],
    ['D2*E2', 'D12*E12', 10],
    ['SUM(D$2:D2)', 'SUM(D$2:D9)', 7],
    ['D2&gt;1000', 'D3&gt;1000', 1],
    ['VLOOKUP(B9,Table!$A$2:$D$101,3,FALSE)', 'VLOOKUP(B10,Table!$A$2:$D$101,3,FALSE)', 1],
    ["'P 1'!A2+SUM(A:A)", "'P 1'!A3+SUM(A:A)", 1],
    ['LOG10(A2)', 'LOG10(A3)', 1],
    ['rate*2', 'rate*2', 5],
    ['IF(A2=&quot;B2&quot;,&apos;P 1&apos;!A2,1)', 'IF(A3=&quot;B2&quot;,&apos;P 1&apos;!A3,1)', 1],
    ['&amp;A2&lt;&gt;B2', '&amp;A3&lt;&gt;B3', 1],
    ["Table1[[#This Row],[a'[2 A2]]*A2", "Table1[[#This Row],[a'[2 A2]]*A3", 1],
    ['IF(A2="B2",ä2,1)', 'IF(A3="B2",ä2,1)', 1],
  ])('%s, %s', (first, second, distance) => {
    expect(isFilled(first, second, distance)).toBe(true);
  });

  it.each([
    ['D2*E2', 'D3*E2', 1],
    ['D2*E2', 'D3*E33', 1],
    ['D2*E2', 'D3*E3 ', 1],
    ['D2*E2', 'D3*E', 1],
    ['D2', 'D03', 1],
    ['D2', 'D2', 1],
    ['D9', 'D10', 2],
    ['SUM(1:3)', 'SUM(1:3)', 1],
    ['SUM(A:A,2:$3)', 'SUM(A:A,3:$3)', 1],
    ['[Qty]*2', '[Qty]*2', 1],
    ['Table1[[#This Row],[Qty]]*A2', 'Table1[[#This Row],[Qty]]*A2', 1],
    ['[1]Sheet1!A2', '[1]Sheet1!A3', 1],
    ['&quot;A2&quot;', '&quot;A3&quot;', 1],
    ['"A2', '"A3', 1],
    ['&#34;A2&#34;', '&#34;A3&#34;', 1],
    ['&quot;A2', '&quot;A3', 1],
    ['Sheet2:Sheet4!A2', 'Sheet2:Sheet4!A3', 1],
    ['A1048577', 'A1048578', 1],
    // These are names.
    ['XFE1', 'XFE2', 1],
    ['\\\\A1', '\\\\A2', 1],
    ['a?1', 'a?2', 1],
  ])('not %s, %s', (first, second, distance) => {
    expect(isFilled(first, second, distance)).toBe(false);
  });

  it('never takes two formulas for one that are not the same relative to their cells', () => {
    const part = fc.constantFrom(
      'A1',
      'A2',
      '$B$1',
      'B$2',
      'C12',
      'A1.',
      '.A2',
      '1:2',
      '+',
      '"A1"',
      '"',
      '&quot;',
      'SUM(',
      ')',
      ',',
      ' ',
      "'S 1'!",
      'x1',
      ':',
      '3',
    );
    const formula = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(formula, formula, fc.integer({ min: 1, max: 12 }), (first, second, distance) => {
        if (!isFilled(first, second, distance)) return true;
        const [a, b] = [first, second].map((text) => text.replaceAll('&quot;', '"'));
        const key = relativeKey(a!, { row: 1, col: 5 });
        return key === null || key === relativeKey(b!, { row: 1 + distance, col: 5 });
      }),
      { numRuns: rounds(4_000, 20_000) },
    );
  });
});
