/** Escapes of texts that are written to XML parts, and Excel's own escapes. */

/**
 * Replaces characters that XML cannot hold as Excel does: a carriage return becomes '_x000D_' (ECMA-376 part 1,
 * 22.9.2.19, ST_Xstring). Also replaces lone surrogates, which UTF-8 cannot hold.
 */
export function encodeExcelEscapes(text: string): string {
  const escaped = text.replace(/_(?=x[0-9a-fA-F]{4}_)/g, '_x005F_');
  // eslint-disable-next-line no-control-regex
  return escaped.toWellFormed().replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, (char) => {
    return `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  });
}

/** Escapes text for element content or a double-quoted attribute. */
export function escapeXml(text: string): string {
  if (!/[&<>"\t\n\r]/.test(text)) return text;
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** Like `escapeXml`, but preserves line ends and tabs of an attribute, which a parser would convert to blanks. */
export function escapeAttribute(text: string): string {
  return escapeXml(text).replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
}
