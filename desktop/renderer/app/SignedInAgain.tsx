import { Callout } from '@blueprintjs/core';
import { t } from '#renderer/language/translate.ts';
import { useDocumentTitle } from '#renderer/ui/Page.tsx';

/** Shown in the window that returned from the provider; the original window continues automatically. */
export function SignedInAgain({ error }: { error: string | null }) {
  useDocumentTitle(t('Login'));
  const text = error === null ? t('You are signed in again. Close this window and continue in the other one.') : error;
  return (
    <main className="rs-start">
      <Callout intent={error === null ? 'success' : 'danger'} className="rs-start-failure">
        <p role="alert">{text}</p>
        {error !== null && <p>{t('Close this window and try again in the other one.')}</p>}
      </Callout>
    </main>
  );
}
