import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from './lazy-part.tsx';
import { useAskBeforeUnload } from './use-ask-before-unload.ts';
import { useEverTrue } from './use-ever-true.ts';

const loadDialog = async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog;
const ConfirmDialog = lazyPart(loadDialog);

const LEAVE_TEXT = t('Your work is not saved! Are you sure you want to leave?');

interface LeaveWarningProps {
  isUnsaved: boolean;
  /** Called if the user leaves without saving. */
  onLeave?: () => void;
}

/**
 * While `isUnsaved`, asks before the page is left: in a dialog within the portal, otherwise through the browser's
 * prompt.
 */
export function LeaveWarning({ isUnsaved, onLeave }: LeaveWarningProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  useAskBeforeUnload(isUnsaved);
  useEffect(() => {
    // Preloads the dialog, because it may be needed when nothing can be fetched any more.
    if (isUnsaved) void loadDialog().catch(() => undefined);
  }, [isUnsaved]);
  const isAsking = blocker.state === 'blocked';
  if (!useEverTrue(isAsking)) return null;
  return (
    <ConfirmDialog
      isOpen={isAsking}
      isLocal
      title={t('Unsaved work')}
      confirmText={t('Leave')}
      cancelText={t('Stay')}
      intent="danger"
      onConfirm={() => {
        onLeave?.();
        blocker.proceed?.();
      }}
      onCancel={() => blocker.reset?.()}
    >
      {LEAVE_TEXT}
    </ConfirmDialog>
  );
}
