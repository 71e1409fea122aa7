import { expect, it } from 'vitest';
import { footerCss } from './print-footer.ts';

it('prints any text at the left and the page number at the right', () => {
  const css = footerCss('A "name"\\\nof two lines', 'Page {page} of {pages}');
  expect(css).toContain('@bottom-left { content: "A \\22 name\\22 \\5c \\a of two lines";');
  expect(css).toContain('@bottom-right { content: "Page " counter(page) " of " counter(pages) "";');
});
