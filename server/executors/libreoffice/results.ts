/** Converts LibreOffice's error numbers to cell errors. */
import type { ErrorCode } from '#server/calculation/values/cell-value.ts';

/**
 * Maps LibreOffice's error numbers to Excel's errors. Source: sc/source/filter/excel/xltools.cxx and
 * include/formula/errorcodes.hxx.
 */
const ERRORS: Record<number, ErrorCode> = {
  503: '#NUM!',
  521: '#NULL!',
  523: '#NUM!',
  524: '#REF!',
  525: '#NAME?',
  526: '#NAME?',
  530: '#NAME?',
  531: '#NAME?',
  532: '#DIV/0!',
  32_767: '#N/A',
};

/** Error number of a circular reference. */
export const CIRCULAR = 522;

export const errorCode = (number: number): ErrorCode => ERRORS[number] ?? '#VALUE!';
