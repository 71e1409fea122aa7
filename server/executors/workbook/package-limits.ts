/** Limits for a workbook file as a zip archive, checked before any part is read. */
export interface PackageLimits {
  /** Maximum size of the file in bytes. */
  fileBytes: number;
  /**
   * Maximum number of entries in the archive. Excel writes a few dozen, and a few hundred for workbooks with many
   * sheets and charts.
   */
  parts: number;
  /** Maximum total size of all parts in bytes, unzipped. */
  totalBytes: number;
  /** Maximum size of one part in bytes, unzipped. A sheet of five million cells has about 300 MB. */
  partBytes: number;
  /** Maximum ratio of unzipped to zipped bytes, for parts larger than `ratioFreeBytes`. Sheets rarely exceed 50. */
  ratio: number;
  /** Parts up to this many bytes may have any ratio (blank pictures compress a thousandfold). */
  ratioFreeBytes: number;
  /** Maximum length of a part's path in characters. */
  pathChars: number;
}

const MB = 1024 * 1024;

/** Generous for honest workbooks: Excel itself slows down long before these limits. */
export const PACKAGE_LIMITS: Readonly<PackageLimits> = {
  fileBytes: 100 * MB,
  parts: 5_000,
  totalBytes: 1024 * MB,
  partBytes: 512 * MB,
  ratio: 200,
  ratioFreeBytes: 4 * MB,
  pathChars: 512,
};
