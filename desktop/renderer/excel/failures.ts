/** Messages for users when something fails. */
import { CallFailure } from '#shared/client/client.ts';
import { InputFailure } from '#shared/client/inputs.ts';
import { said, t } from '#renderer/language/translate.ts';
import { OfficeFailure } from './office.ts';
import { ResultsDoNotFit } from './result-sheets.ts';
import { WindowClosed } from './sign-in.ts';
import { SelectionTooLarge } from './workbook.ts';
import { ValueNotStored } from './write-results.ts';

/**
 * Messages about the window that Excel opens. Source: learn.microsoft.com, "Handle errors and events in the Office
 * dialog box".
 */
function windowText(code: number): string {
  switch (code) {
    case 12_002:
    case 12_003:
      return t(
        'Excel could not show the sign-in page. Check that the portal uses https, with a certificate that this computer trusts.',
      );
    case 12_004:
    case 12_005:
      return t(
        "Excel does not open the portal at this address. The manifest of the add-in must contain the portal's https address.",
      );
    case 12_007:
      return t('A window is already open. Close it and try again.');
    case 12_009:
      return t('You did not allow the window. Allow it, so that you can sign in.');
    case 12_011:
      return t('The browser blocked the window. Allow pop-ups for this page and try again.');
    default:
      return t('The window was closed before the sign-in was finished.');
  }
}

/**
 * Messages about Excel itself. Source: learn.microsoft.com, "Error handling with the application-specific JavaScript
 * APIs".
 */
function excelText(code: string, message: string): string {
  switch (code) {
    case 'InvalidOperationInCellEditMode':
      return t('You are editing a cell in Excel. Finish editing and try again.');
    case 'InvalidSelection':
    case 'InvalidReference':
      return t('Select one range of cells and try again.');
    case 'ItemNotFound':
      return t('This sheet or range is not in the workbook, or no longer.');
    case 'AccessDenied':
    case 'PermissionDenied':
      return t('Excel cannot add a sheet, because the workbook is protected or cannot be changed.');
    default:
      return t('Excel says: {message}', { message: message || code });
  }
}

export function messageOf(error: unknown): string {
  if (error instanceof CallFailure) {
    if (error.status === 0) return t('The portal cannot be reached. Check the connection and try again.');
    return error.message.split('\n').map(said).join('\n');
  }
  if (error instanceof InputFailure) return error.problems.map(said).join('\n');
  if (error instanceof WindowClosed) return windowText(error.code);
  if (error instanceof OfficeFailure)
    return error.code >= 12_000 && error.code < 13_000
      ? windowText(error.code)
      : t('Excel says: {message}', { message: error.message });
  if (error instanceof ResultsDoNotFit)
    return t('{output} does not fit into a sheet. Download it from the portal.', { output: error.output });
  if (error instanceof ValueNotStored)
    return t('Excel changed the value of cell {cell} when inserting it, so nothing was inserted. Please try again.', {
      cell: error.cell,
    });
  if (error instanceof SelectionTooLarge)
    return t('More than a million cells are selected. Provide them as a file instead.');
  const { code, message } = error as { code?: unknown; message?: unknown };
  const text = typeof message === 'string' ? message : '';
  if (typeof code === 'string') return excelText(code, text);
  return text || t('Unexpected error');
}
