import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { toClipboardText } from '#renderer/ui/grid/grid-model.ts';
import { parseClipboardBlock } from './paste-block.ts';

describe('a block from the clipboard', () => {
  it('is split at tabs and line breaks, without the line break Excel ends with', () => {
    expect(parseClipboardBlock('a\tb\r\n1\t2\r\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });
  it('keeps tabs, line breaks and quotes inside a quoted cell', () => {
    expect(parseClipboardBlock('"two\nlines"\t"a ""b"""\n3\t')).toEqual([
      ['two\nlines', 'a "b"'],
      ['3', ''],
    ]);
  });
  it('takes a quote that nothing closes as text', () => {
    expect(parseClipboardBlock('"5 inch\t5" pipe')).toEqual([['"5 inch', '5" pipe']]);
  });
  it('is one empty cell when the clipboard is empty', () => {
    expect(parseClipboardBlock('')).toEqual([['']]);
  });
  it('comes back as it was copied, whatever is in it', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', ' ', '1') });
    const block = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(block, (rows) => {
        expect(parseClipboardBlock(toClipboardText(rows))).toEqual(rows);
      }),
    );
  });
});
