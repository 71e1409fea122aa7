/** The pages of the sign-in window that Excel opens: one before and one after the portal's own pages. */
import { useEffect, useState } from 'react';
import { t } from '#renderer/language/translate.ts';
import { findOffice } from './office.ts';
import { Note, Problem } from './parts.tsx';
import { signInAddress, takeCode, sendToPane } from './sign-in.ts';

/**
 * Continues to the portal after Office.js has initialized in the window; otherwise it could not send messages to the
 * pane.
 */
export function ToPortal() {
  useEffect(() => {
    const go = (): void => window.location.replace(signInAddress(new URLSearchParams(window.location.search)));
    const ready = findOffice()?.onReady();
    if (ready) void ready.then(go);
    else go();
  }, []);
  return <Note>{t('Loading…')}</Note>;
}

/** Read only once, because the page may render again. */
const answer = new URLSearchParams(window.location.search).has('handed') ? takeCode() : null;

/** Passes the code to the pane, which closes the window. */
export function FromPortal() {
  const [problem, setProblem] = useState(answer === null);
  useEffect(() => {
    const ready = findOffice()?.onReady();
    if (!ready || answer === null) return;
    void ready.then(() => sendToPane(answer!)).catch(() => setProblem(true));
  }, []);
  return (
    <div className="rs-pane-body">
      <h1>{t('Back to Excel')}</h1>
      {answer !== null && answer.Code !== '' && (
        <>
          <p>
            {t(
              'Excel continues automatically. If it does not within a few seconds, enter this code there, under Sign in with a code:',
            )}
          </p>
          <p>
            <code className="rs-pane-code">{answer.Code}</code>
          </p>
        </>
      )}
      {problem && (
        <Problem text={t('Excel could not be notified. Close this window and sign in again, or enter the code.')} />
      )}
    </div>
  );
}
