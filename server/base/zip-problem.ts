/**
 * Describes the problem with a zip archive in our own words: messages of the libraries do not help people who only have
 * the file.
 */

const CUT_OFF = /end of central directory|unexpected e(?:of|nd of file)|out of range|truncated|not enough bytes/i;

/** Returns true if the end of the archive, or of a part of it, is missing. */
export const isCutOff = (error: unknown): boolean => CUT_OFF.test(wordsOf(error));

/**
 * Returns half a sentence for people who know the file, such as 'its end is missing'.
 * @param error an error of yauzl, zlib or the file system
 */
export function zipProblem(error: unknown): string {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== undefined && code in OF_FILES) return OF_FILES[code]!;
  if (isCutOff(error)) return 'its end is missing, or it is no zip archive';
  const words = wordsOf(error);
  if (/encrypt/i.test(words)) return 'it is protected by a password';
  if (/compression method/i.test(words)) return 'it is compressed by an unknown method';
  return 'its data are damaged';
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : '');

const OF_FILES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this program may not read it',
  EPERM: 'this program may not read it',
};
