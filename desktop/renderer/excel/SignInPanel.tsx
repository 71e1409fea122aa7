import { useRef, useState } from 'react';
import { t } from '#renderer/language/translate.ts';
import { has, openInBrowser, type OfficeDialog } from './office.ts';
import { Button, Labelled, Note, Problem } from './parts.tsx';
import { portalAddress, redeem, usePane } from './session.ts';
import { askForCode, newRequest, WindowClosed, type SignInRequest } from './sign-in.ts';
import { useTask } from './use-task.ts';

/**
 * Signs in through a window of the portal or, if that is unavailable, with a code that the portal shows in the browser.
 */
export function SignInPanel() {
  const notice = usePane((state) => state.notice);
  const [request, setRequest] = useState<SignInRequest | null>(null);
  const [code, setCode] = useState('');
  const dialog = useRef<OfficeDialog | null>(null);
  const byWindow = useTask();
  const byCode = useTask();

  const signIn = (): void =>
    void byWindow.run(
      async () => {
        byCode.setProblem('');
        const fresh = await newRequest();
        setRequest(fresh);
        const loginCode = await askForCode(fresh, (opened) => (dialog.current = opened));
        if (loginCode !== '') await redeem(loginCode, fresh.verifier);
      },
      (error) => error instanceof WindowClosed && error.isWanted,
    );
  const openBrowser = (): void =>
    void byWindow.run(async () => {
      const fresh = await newRequest();
      setRequest(fresh);
      const query = new URLSearchParams({ c: 'excel', challenge: fresh.challenge, state: fresh.state });
      openInBrowser(`${portalAddress}?${query.toString()}`);
    });
  const enterCode = (): void =>
    void byCode.run(async () => {
      await redeem(code, request!.verifier);
      try {
        dialog.current?.close();
      } catch {
        // The window was already closed.
      }
    });

  return (
    <div className="rs-pane-body">
      {notice !== '' && <Note tone="warning">{notice}</Note>}
      <p>{t('Sign in to publish this workbook, to run activities and to insert their results in a sheet.')}</p>
      <p className="rs-muted rs-pane-break">{portalAddress}</p>
      {has('dialog') ? (
        <div className="rs-pane-actions">
          <Button variant="primary" disabled={byWindow.isBusy} onClick={signIn}>
            {t('Sign in')}
          </Button>
        </div>
      ) : (
        <Note tone="warning">
          {t(
            'This version of Excel does not open windows for add-ins (requirement set {set} is missing). Sign in with the browser instead.',
            {
              set: 'DialogApi 1.1',
            },
          )}
        </Note>
      )}
      {byWindow.isBusy && <Note>{t('Continue in the window that has opened.')}</Note>}
      <Problem text={byWindow.problem} />
      <details className="rs-pane-more" open={!has('dialog')}>
        <summary>{t('Sign in with a code')}</summary>
        <p className="rs-muted">
          {t('Sign in to the portal in the browser, choose Show code there, and enter the code here.')}
        </p>
        <Button disabled={byWindow.isBusy} onClick={openBrowser}>
          {t('Open the browser')}
        </Button>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            enterCode();
          }}
        >
          <Labelled label={t('Code')} id="rs-code">
            <input id="rs-code" value={code} autoComplete="off" onChange={(event) => setCode(event.target.value)} />
          </Labelled>
          <Button type="submit" disabled={code.trim() === '' || request === null || byCode.isBusy}>
            {t('Sign in with this code')}
          </Button>
        </form>
        <Problem text={byCode.problem} />
      </details>
    </div>
  );
}
