/** Why a workbook file was refused; tests and callers compare the code, people read the message. */
export type WorkbookFileErrorCode =
  | 'empty'
  | 'notAWorkbook'
  | 'truncated'
  | 'passwordProtected'
  | 'oldFormat'
  | 'binaryFormat'
  | 'template'
  | 'wrongType'
  | 'tooLarge'
  | 'tooManyParts'
  | 'compressionRatio'
  | 'duplicatePart'
  | 'unsafePath'
  | 'damaged'
  | 'missingPart'
  | 'forbiddenXml'
  | 'tooDeep'
  | 'tooManySheets'
  | 'tooManyCells'
  | 'tooManyStrings'
  | 'tooManyNames'
  | 'tooManyTables'
  | 'tooManyBlocks'
  | 'formulaTooLong'
  | 'textTooLong'
  | 'beyondSheet'
  | 'duplicateSheet'
  | 'tables'
  | 'tableBlocked';

/**
 * A workbook file that cannot be read or changed. The message is one or two sentences for the person who uploaded it:
 * what is wrong, where, and what to do about it.
 */
export class WorkbookFileError extends Error {
  readonly code: WorkbookFileErrorCode;
  constructor(code: WorkbookFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkbookFileError';
    this.code = code;
  }
}

/** What helps with nearly every fault inside a file: Excel repairs what it opens. */
export const SAVE_AGAIN = 'Open it in Excel, save it again as .xlsx or .xlsm, and upload the saved file.';

/** A file whose content contradicts the format. */
export function damaged(detail: string, options?: ErrorOptions): WorkbookFileError {
  return new WorkbookFileError('damaged', `The workbook is damaged: ${detail}. ${SAVE_AGAIN}`, options);
}

/** Text of an error from a library, for `detail`. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
