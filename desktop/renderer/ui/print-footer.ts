/** Styles that print a line at the foot of each sheet. */

const COUNTERS: Readonly<Record<string, string>> = { page: 'counter(page)', pages: 'counter(pages)' };

/**
 * Returns the rules of the sheets.
 * @param text at the left
 * @param pageText at the right, with the values page and pages in braces: 'Page {page} of {pages}'
 */
export function footerCss(text: string, pageText: string): string {
  const number = pageText
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? (COUNTERS[part] ?? '""') : cssString(part)))
    .join(' ');
  const font = 'font: 10px sans-serif; color: #404854;';
  return (
    `@page { margin: 12mm 10mm 16mm; @bottom-left { content: ${cssString(text)}; ${font} } ` +
    `@bottom-right { content: ${number}; ${font} } }`
  );
}

/** A string in CSS: special characters are escaped by their codes. */
const cssString = (text: string): string =>
  `"${text.replaceAll(/["\\\n\r\f<]/g, (character) => `\\${character.codePointAt(0)!.toString(16)} `)}"`;
