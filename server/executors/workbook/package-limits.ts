/** Bounds of a workbook file as a zip archive, before anything in it is read. */
export interface PackageLimits {
  /** Bytes of the file. */
  fileBytes: number;
  /** Entries of the archive; Excel writes some dozens, a workbook of many sheets and charts some hundreds. */
  parts: number;
  /** Bytes of all parts, unzipped. */
  totalBytes: number;
  /** Bytes of one part, unzipped: a sheet of five million cells has about 300 MB. */
  partBytes: number;
  /** Unzipped bytes for each zipped one, of parts larger than `ratioFreeBytes`. Sheets rarely pass 50. */
  ratio: number;
  /** Parts up to this size may shrink as well as they can (blank pictures shrink a thousandfold). */
  ratioFreeBytes: number;
  /** Characters of the path of a part. */
  pathChars: number;
}

const MB = 1024 * 1024;

/** Generous for honest workbooks: Excel itself slows down long before these. */
export const PACKAGE_LIMITS: Readonly<PackageLimits> = {
  fileBytes: 100 * MB,
  parts: 5_000,
  totalBytes: 1024 * MB,
  partBytes: 512 * MB,
  ratio: 200,
  ratioFreeBytes: 4 * MB,
  pathChars: 512,
};
