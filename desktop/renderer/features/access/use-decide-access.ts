import { accessRequests, decideAccess } from '#shared/contract/access-requests.ts';
import { notifications } from '#shared/contract/notifications.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { showSuccess, showWarning } from '#renderer/ui/toaster.tsx';

const TOUCHED = [accessRequests, notifications];

/** Grants or declines a request for access, and tells the result. */
export function useDecideAccess(Id: number): { isBusy: boolean; decide: (isGranted: boolean) => Promise<void> } {
  const { isBusy, change } = useChange(TOUCHED);
  const decide = async (Grant: boolean): Promise<void> => {
    let hasAccess = false;
    const isDone = await change(async () => {
      hasAccess = (await call(decideAccess, { body: { Id, Grant } })).HasAccess;
    });
    if (!isDone) return;
    if (!Grant) showSuccess(t('Declined'));
    else if (hasAccess) showSuccess(t('Access granted'));
    else showWarning(t('The right was granted, but a denial still prevents access.'));
  };
  return { isBusy, decide };
}
