/** Returns the text of HTML: paper shows values of the type Html without their formatting. */
export const htmlText = (html: string): string =>
  html
    .replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(?:br|\/(?:p|div|h[1-6]|li|tr|table|ul|ol))\b[^>]*>/gi, '\n')
    .replace(/<\/t[dh]\s*>/gi, '  ')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (whole, code: string) => characterOf(code) ?? whole)
    .replace(/[ \t]*\n\s*/g, '\n')
    .trim();

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  euro: '€',
};

function characterOf(code: string): string | null {
  if (!code.startsWith('#')) return Object.hasOwn(NAMED, code) ? NAMED[code]! : null;
  const number = /^#x/i.test(code) ? Number.parseInt(code.slice(2), 16) : Number(code.slice(1));
  return number <= 0x10ffff ? String.fromCodePoint(number) : null;
}
