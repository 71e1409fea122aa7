import { bridge } from '#renderer/api/bridge.ts';
import { t } from '#renderer/language/translate.ts';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';

/** Copies the address of a document's page to the clipboard. */
export async function copyDocumentLink(documentId: string): Promise<void> {
  const address = bridge.sharedAddress(`documents/${documentId}`);
  if (await bridge.copyText(address))
    showMessage(t('Link copied. Anyone who may see this run can use it to download the file.'));
  else showError(t('The link could not be copied'));
}
