/** Reasons to refuse a workbook file. Tests and callers compare the code; people read the message. */
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
 * A workbook file that cannot be read or changed. The message is one or two sentences for the uploader: what is wrong,
 * where, and how to fix it.
 */
export class WorkbookFileError extends Error {
  readonly code: WorkbookFileErrorCode;
  constructor(code: WorkbookFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkbookFileError';
    this.code = code;
  }
}

/** Fixes nearly every problem inside a file, because Excel repairs what it opens. */
export const SAVE_AGAIN = 'Open it in Excel, save it again as .xlsx or .xlsm, and upload the saved file.';

/** Fixes a file that was not transferred completely. */
export const COPY_AGAIN = 'Copy or download the file again, and upload the new copy.';

/** Fixes a file that is encrypted. */
export const REMOVE_PASSWORD =
  'Remove the password in Excel (File, Info, Protect Workbook, Encrypt with Password), save the workbook and upload it again.';

const HOW_TO_FIX_TEXTS = [SAVE_AGAIN, COPY_AGAIN, REMOVE_PASSWORD];

/**
 * Separates the problem from the usual advice at the end of a message. Other advice in the message stays part of the
 * problem.
 */
export function splitHowToFix(message: string): { problem: string; howToFix: string } {
  const howToFix = HOW_TO_FIX_TEXTS.find((one) => message.endsWith(one));
  return {
    problem: message.slice(0, message.length - (howToFix ?? '').length).trim(),
    howToFix: howToFix ?? SAVE_AGAIN,
  };
}

/** A file whose content contradicts the format. */
export function damaged(detail: string, options?: ErrorOptions): WorkbookFileError {
  return new WorkbookFileError('damaged', `The workbook is damaged: ${detail}. ${SAVE_AGAIN}`, options);
}
