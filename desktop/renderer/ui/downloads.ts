/** Downloads of files. Each download requests a token, which the browser then uses to fetch the file. */
import { toFailure } from '#renderer/api/app-failure.ts';
import { downloadFile } from '#shared/contract/files.ts';
import { downloadByToken, type TokenEndpoint } from '#renderer/api/download.ts';
import { t } from '#renderer/language/translate.ts';
import { showError, showWarning } from './toaster.tsx';

/** Downloads the file of the token; shows a message on failure. */
export async function startDownload(token: Promise<string>, file: TokenEndpoint = downloadFile): Promise<void> {
  try {
    if (downloadByToken(await token, file)) showWarning(t('Some files are missing.'));
  } catch (error) {
    showError(toFailure(error).message);
  }
}
