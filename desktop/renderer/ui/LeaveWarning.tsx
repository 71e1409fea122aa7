import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { asksBeforeLeaving } from './leaving.ts';

export const LEAVE_TEXT = t('Your work is not saved! Are you sure you want to leave?');

/** While `isUnsaved`, leaving the page asks first: inside the portal in a dialog, beyond it by the browser's own. */
export function LeaveWarning({ isUnsaved }: { isUnsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const onBeforeUnload = (event: BeforeUnloadEvent): void => {
      if (asksBeforeLeaving()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, [isUnsaved]);
  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked'}
      title={t('Unsaved work')}
      confirmText={t('Leave')}
      cancelText={t('Stay')}
      intent="danger"
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      {LEAVE_TEXT}
    </ConfirmDialog>
  );
}
