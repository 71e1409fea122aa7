import { describe, expect, it } from 'vitest';
import { toClipboardHtml, type CopiedValue } from '#renderer/ui/grid/copied-cells.ts';
import { copiedValue } from './copied-value.ts';

const htmlOf = (text: string, value: CopiedValue): string =>
  toClipboardHtml([{ title: '', header: [], rows: [[{ text, value }]] }]).match(/<tr>(.*)<\/tr>/s)![1]!;

describe('copied cells', () => {
  it('have numbers with a decimal point, whatever the region shows', () => {
    expect(htmlOf('1.234,50', copiedValue(1234.5))).toBe('<td x:num="1234.5" sdval="1234.5" sdnum="1033;">1234.5</td>');
  });
  it('keep the number format', () => {
    expect(htmlOf('12,5 %', copiedValue(0.125, '0.0%'))).toContain(
      ' style="mso-number-format:&quot;0.0%&quot;">0.125<',
    );
    expect(htmlOf('2 "', copiedValue(2, '0\\"'))).toContain('mso-number-format:&quot;0\\5c \\22 &quot;');
  });
  it('have dates in ISO format', () => {
    expect(htmlOf('05.01.2026', copiedValue(46027, 'dd/mm/yyyy', 'Date'))).toBe('<td>2026-01-05</td>');
    expect(htmlOf('05.01.2026', copiedValue(46027, 'dd/mm/yyyy', 'Number'))).toBe('<td>2026-01-05</td>');
    expect(htmlOf('05.01.2026', copiedValue(46027, 'General', 'Date'))).toBe('<td>2026-01-05</td>');
  });
  it('mark texts, so that no program takes them for numbers or HTML', () => {
    expect(htmlOf('007', copiedValue('007'))).toBe('<td style="mso-number-format:&quot;\\40 &quot;">007</td>');
    expect(htmlOf('<b>&"', copiedValue('<b>&"'))).toContain('>&lt;b&gt;&amp;&quot;</td>');
    expect(htmlOf('#N/A', copiedValue({ error: '#N/A' }))).toContain('>#N/A</td>');
    expect(htmlOf('', copiedValue(null))).toBe('<td></td>');
    expect(htmlOf('TRUE', copiedValue(true))).toBe('<td x:bool="TRUE">TRUE</td>');
  });
  it('have a title and the titles of their columns above them', () => {
    const row = [{ text: '1', value: copiedValue(1) }];
    const html = toClipboardHtml([{ title: 'Plan', header: ['Due'], rows: [row] }]);
    expect(html.match(/<tr>/g)).toHaveLength(3);
    expect(html).toMatch(/Plan<\/th><\/tr><tr><th[^>]*>Due<\/th>/);
  });
});
