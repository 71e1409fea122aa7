/** The values a cell can hold. Dates are numbers (serial numbers); a blank cell is null. */
export type CellValue = number | string | boolean | CellError | null;

/** Excel's error values, as Excel writes them. */
export const ERROR_CODES = [
  '#NULL!',
  '#DIV/0!',
  '#VALUE!',
  '#REF!',
  '#NAME?',
  '#NUM!',
  '#N/A',
  '#GETTING_DATA',
  '#SPILL!',
  '#CALC!',
  '#CONNECT!',
  '#BLOCKED!',
  '#UNKNOWN!',
  '#FIELD!',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** An error as a value: cells can contain it and formulas pass it on. Compare by `code`. */
export class CellError {
  readonly code: ErrorCode;
  constructor(code: ErrorCode) {
    this.code = code;
  }
  toString(): string {
    return this.code;
  }
}

const errors = new Map<string, CellError>(ERROR_CODES.map((code) => [code, new CellError(code)]));

/** Returns the only CellError with a code (in any case); undefined if the text is not an error code. */
export function cellError(text: string): CellError | undefined {
  return errors.get(text.toUpperCase());
}
