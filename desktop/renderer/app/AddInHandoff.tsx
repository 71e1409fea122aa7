import { Button, Callout, Card } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import type { AddInRequest, AddInResult } from '#shared/rules/add-in-request.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { pageSettings } from '#renderer/api/page-settings.ts';
import { said, t } from '#renderer/language/translate.ts';
import { useDocumentTitle } from '#renderer/ui/Page.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { codeFor, finishAddIn, forgetAddIn, sendCodeToProgram, passCodeToDialog, useAddIn } from './add-in.ts';
import { Logo } from './Logo.tsx';
import { useProfile } from './profile.ts';
import { useSession } from './session.ts';
import './add-in.css';

/** Milliseconds until the window closes. Source: specification of security, section 9. */
const CLOSES_AFTER = 5000;

const TEXTS: Record<AddInResult, string> = {
  success: t('Login successful. Please click Continue in the Login Window in Excel.'),
  failure: t('Login failed. Please go back to Excel and retry.'),
};

const DESKTOP_TEXTS: Record<AddInResult, string> = {
  success: t('Login successful. You can go back to Runsheet.'),
  failure: t('Login failed. Please go back to Runsheet and retry.'),
};

const programOf = (kind: string): string => (kind === 'desktop' ? t('the desktop client') : kind);

/** Shows the result of a program's sign-in; the window closes automatically. */
export function AddInMessage({ result }: { result: AddInResult }) {
  useDocumentTitle(t('Login'));
  const texts = useAddIn((state) => state.isDesktop) ? DESKTOP_TEXTS : TEXTS;
  useEffect(() => {
    const timer = window.setTimeout(() => bridge.closeWindow(), CLOSES_AFTER);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <main className="rs-start">
      <Callout intent={result === 'success' ? 'success' : 'danger'} className="rs-start-failure">
        <p role="alert">{`${texts[result]} ${t('This page will close automatically.')}`}</p>
      </Callout>
    </main>
  );
}

/**
 * Asks before a program gets a session, because somebody else's link may have opened the page. If the request has a
 * port, the code is sent there; the user can always copy it instead.
 */
export function AddInHandoff({ request }: { request: AddInRequest }) {
  useDocumentTitle(t('Login'));
  const profile = useProfile();
  const userName = useSession((state) => state.session?.userName ?? '');
  const [code, setCode] = useState<string | null>(null);
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState<'hand' | 'copy' | null>(null);
  const { kind, port, isDialog = false } = request;
  const name = profile ? `${profile.FirstName} ${profile.LastName}`.trim() : userName;

  const attempt = async (how: 'hand' | 'copy', work: () => Promise<void>): Promise<void> => {
    setBusy(how);
    setMessage('');
    try {
      await work();
    } catch (error) {
      const { status, message: text } = toFailure(error);
      // A refusal by the server is final; a call that did not reach it may succeed when repeated.
      if (status >= 400 && status < 500) finishAddIn('failure');
      else setMessage(text);
    }
    setBusy(null);
  };

  return (
    <main className="rs-start">
      <Card className="rs-add-in">
        <div className="rs-add-in-head">
          <Logo size={32} address={pageSettings.logo1} />
          <h1>{t('Sign in to {program}', { program: programOf(kind) })}</h1>
        </div>
        <p>
          {t(
            'A program on this computer ({program}) wants to sign in as {name}. Continue only if you started the sign-in there yourself.',
            { program: programOf(kind), name },
          )}
        </p>
        {message !== '' && (
          <p className="rs-danger-text" role="alert">
            {said(message)}
          </p>
        )}
        {code !== null && <CopiedCode code={code} />}
        <div className="rs-add-in-actions">
          {port !== null && (
            <Button
              intent="primary"
              text={t('Continue')}
              loading={busy === 'hand'}
              disabled={busy !== null}
              onClick={() => void attempt('hand', () => sendCodeToProgram({ ...request, port }))}
            />
          )}
          {isDialog && (
            <Button
              intent="primary"
              text={t('Continue')}
              loading={busy === 'hand'}
              disabled={busy !== null}
              onClick={() => void attempt('hand', async () => passCodeToDialog(request, await codeFor(request, true)))}
            />
          )}
          <Button
            intent={port === null && !isDialog ? 'primary' : 'none'}
            text={t('Show code')}
            loading={busy === 'copy'}
            disabled={busy !== null}
            onClick={() => void attempt('copy', async () => setCode(await codeFor(request, true)))}
          />
          <Button
            text={t('Cancel')}
            disabled={busy !== null}
            onClick={() => (isDialog ? passCodeToDialog(request, '') : forgetAddIn())}
          />
        </div>
      </Card>
    </main>
  );
}

function CopiedCode({ code }: { code: string }) {
  const copy = async (): Promise<void> => {
    if (await bridge.copyText(code)) showMessage(t('Copied'));
  };
  return (
    <Callout icon={null} className="rs-add-in-code" role="status">
      <p>
        {t(
          'Copy this code into the login window of the program that you started. You can use it once, within five minutes.',
        )}
      </p>
      <code>{code}</code>
      <Button icon={<Duplicate />} text={t('Copy')} onClick={() => void copy()} />
    </Callout>
  );
}
