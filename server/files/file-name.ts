const MAX_LENGTH = 255;
const WITHOUT_NAME = 'file';

/**
 * Returns a name that is safe to store, show and download: without a path, control characters, or characters that
 * Windows forbids.
 */
export function safeFileName(name: string): string {
  const base = name.replaceAll('\\', '/').split('/').at(-1) ?? '';
  const clean = base
    .normalize('NFC')
    // Control and format characters. Format characters can disguise a name.
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '')
    .replaceAll(/[:*?"<>|]/g, '_')
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '');
  if (clean === '') return WITHOUT_NAME;
  if (clean.length <= MAX_LENGTH) return clean;
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 && clean.length - dot <= 20 ? clean.slice(dot) : '';
  return clean.slice(0, MAX_LENGTH - extension.length).replace(/[\uD800-\uDBFF]$/, '') + extension;
}

/**
 * Returns a file name from a form as a safe name. Forms send a quotation mark as %22 and line ends as %0D and %0A, but
 * leave every other % unchanged. Source: HTML Standard, "multipart form data".
 */
export const sentFileName = (name: string): string =>
  safeFileName(name.replaceAll(/%22/g, '"').replaceAll(/%0D|%0A/gi, ''));

/** Returns the Content-Disposition header for a download with this name. Source: RFC 6266, RFC 5987. */
export function attachment(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7E]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
