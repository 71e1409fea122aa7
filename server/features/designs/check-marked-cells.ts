/**
 * Checks what the schema of marks cannot express: that their sheets and cells exist, and that their options fit their
 * role.
 */
import { AppError } from '#server/base/app-error.ts';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import type { DesignSheet, Mark } from '#shared/contract/designs.ts';
import { INPUT_OPTIONS, OUTPUT_OPTIONS } from '#shared/rules/parameter-kinds.ts';

/** Throws an AppError 400 for the first mark that cannot be written. */
export function checkMarkedCells(marks: readonly Mark[], sheets: readonly Pick<DesignSheet, 'Name'>[]): void {
  for (const { Role, Name, Sheet, Range, Options } of marks) {
    if (!sheets.some((sheet) => sheet.Name === Sheet))
      throw invalid(`'${Name}' is on the sheet '${Sheet}', which does not exist in the workbook`);
    if (!parseBlock(Range)) throw invalid(`The cells '${Range}' of '${Name}' are not a valid range`);
    const known: readonly string[] = Role === 'Input' ? INPUT_OPTIONS : OUTPUT_OPTIONS;
    const unknown = Object.keys(Options).find((option) => !known.includes(option));
    if (unknown !== undefined) throw invalid(`'${Name}' does not support the option ${unknown}`);
  }
}

const invalid = (message: string): AppError => new AppError('invalid_request', 400, message);
