import { expect, test } from 'vitest';
import { htmlText } from './html-text.ts';

test('HTML becomes its text', () => {
  expect(htmlText('<h1>Total</h1><p>1 &lt; 2 &amp; <b>3</b></p><script>alert(1)</script>')).toBe('Total\n1 < 2 & 3');
  expect(htmlText('<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>')).toBe('a  b\nc');
  expect(htmlText('5 < 6 &nosuch; &#x20AC;&#228;')).toBe('5 < 6 &nosuch; €ä');
});
