/**
 * Reads a text file. Spreadsheet programs write UTF-8 only if asked to: in other files, bytes that are not UTF-8 are
 * Windows-1252, and "Unicode text" is UTF-16.
 */
export async function readTextFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
