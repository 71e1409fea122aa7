/** Returns the character that separates columns; null if the text does not name one. */
export function delimiterOf(text: string): string | null {
  if (/^(tab|\\t)$/i.test(text)) return '\t';
  return text.length === 1 && !/["\r\n]/.test(text) ? text : null;
}
