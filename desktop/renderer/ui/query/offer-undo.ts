import type { Endpoint } from '#shared/contract/endpoint.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { showError, showMessage, showUndo } from '#renderer/ui/toaster.tsx';

/**
 * Says that a change was made, and offers to reverse it. The change is stored already: a closed window neither loses nor
 * reverses it. Use this instead of a question before the change if a call restores everything that people would miss.
 * @param restore the call that reverses the change
 * @param touched lists that are refetched afterwards, whether or not the page of the change is still open
 */
export function offerUndo(text: string, restore: () => Promise<unknown>, touched: readonly Endpoint[]): void {
  const undo = async (): Promise<void> => {
    try {
      await restore();
      showMessage(t('Undone.'));
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      await Promise.all(touched.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })));
    }
  };
  showUndo(text, () => void undo());
}
