/** Downloads of a run: each asks for a token, which the browser then fetches. */
import { toFailure } from '#renderer/api/app-failure.ts';
import { downloadFile } from '#shared/contract/files.ts';
import { downloadByToken, type TokenEndpoint } from '#renderer/api/download.ts';
import { t } from '#renderer/language/translate.ts';
import { showError, showWarning } from '#renderer/ui/toaster.tsx';

/** Fetches what the token stands for; a failure becomes a message. */
export async function startDownload(token: Promise<string>, file: TokenEndpoint = downloadFile): Promise<void> {
  try {
    if (downloadByToken(await token, file)) showWarning(t('Some files are missing.'));
  } catch (error) {
    showError(toFailure(error).message);
  }
}
