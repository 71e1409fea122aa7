/** Limits on what `readWorkbook` accepts. Each count is for the whole workbook unless stated otherwise. */
export interface ReaderLimits {
  sheets: number;
  /** Stored cells, including empty formatted ones. Each takes 23 bytes of memory. */
  cells: number;
  /** Stored texts: shared texts, inline texts and results of formulas. */
  strings: number;
  /** UTF-16 units of all these texts together. */
  stringChars: number;
  names: number;
  tables: number;
  /** Merged ranges, and ranges of data validations. */
  blocks: number;
  /**
   * Characters of one formula in the file. Excel's own limit, 8,192, counts what the formula bar shows; the file spells
   * functions and tables longer ('_xlfn.', 'Table1[[#This Row],[Price]]').
   */
  formulaChars: number;
  /** UTF-16 units of all formulas together. */
  formulaTotalChars: number;
  /** Nesting depth of elements in one part. */
  xmlDepth: number;
  /** Attributes of one element. */
  xmlAttributes: number;
}

/** Far above the largest workbooks in practice, and low enough for the memory of one worker. */
export const READER_LIMITS: Readonly<ReaderLimits> = {
  sheets: 1_000,
  cells: 10_000_000,
  strings: 5_000_000,
  stringChars: 200_000_000,
  names: 100_000,
  tables: 5_000,
  blocks: 1_000_000,
  formulaChars: 32_768,
  formulaTotalChars: 500_000_000,
  xmlDepth: 128,
  xmlAttributes: 512,
};
