import { Callout } from '@blueprintjs/core';
import { t } from '#renderer/language/translate.ts';
import { useDocumentTitle } from '#renderer/ui/Page.tsx';

/** Shown in the window that returned from the provider; the original window continues automatically. */
export function SignedInAgain({ error, isTest }: { error: string | null; isTest: boolean }) {
  useDocumentTitle(t('Login'));
  const done = isTest
    ? t('The test is over, and nobody was signed in. Close this window: the other one shows the result.')
    : t('You are signed in again. Close this window and continue in the other one.');
  const text = error ?? done;
  return (
    <main className="rs-start">
      <Callout intent={error === null ? 'success' : 'danger'} className="rs-start-failure">
        <p role="alert">{text}</p>
        {error !== null && <p>{t('Close this window and try again in the other one.')}</p>}
      </Callout>
    </main>
  );
}
