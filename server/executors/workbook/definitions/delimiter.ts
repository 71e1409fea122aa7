/** The character that parts columns; null where the text is none. */
export function delimiterOf(text: string): string | null {
  if (/^(tab|\\t)$/i.test(text)) return '\t';
  return text.length === 1 && !/["\r\n]/.test(text) ? text : null;
}
