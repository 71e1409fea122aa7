import { Button, HTMLTable } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';
import { beginSignInTest, signInTestResult, type Claim, type SignInTest as Report } from '#shared/contract/setup.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { testAtProvider } from '#renderer/app/sign-in-again.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { CheckResult } from './CheckResult.tsx';

const NOTHING_TOUCHED = [] as const;

interface Waiting {
  /** Where the window went. */
  address: string;
  /** What the provider must know of this portal. */
  returnAddress: string;
}

/**
 * Signs in at a provider in another window, and shows what the provider said. Nobody is signed in. The provider returns
 * to a page of a browser, so the desktop client does not offer it.
 */
export function SignInTest({ name }: { name: string }) {
  if (bridge.platform === 'web') return <Offered name={name} />;
  return <p className="rs-muted">{t('To test the sign-in with {name}, open this page in a browser.', { name })}</p>;
}

function Offered({ name }: { name: string }) {
  const { isBusy, change, failure } = useFormChange(NOTHING_TOUCHED);
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const giveUp = useRef(new AbortController());
  useEffect(() => () => giveUp.current.abort(), []);

  const test = async (): Promise<void> => {
    giveUp.current = new AbortController();
    const { signal } = giveUp.current;
    setReport(null);
    await change(async () => {
      const begin = async (Path: string): Promise<string> => {
        const { Path: address, ReturnAddress } = await call(beginSignInTest, { body: { Name: name, Path } });
        setWaiting({ address, returnAddress: ReturnAddress });
        return address;
      };
      const ott = await testAtProvider(begin, signal).catch((error: unknown) => {
        if (signal.aborted) return null;
        throw error;
      });
      if (ott !== null) setReport(await call(signInTestResult, { body: { Ott: ott } }));
    });
    setWaiting(null);
  };
  return (
    <div className="rs-setup-check">
      <ErrorSummary {...failure} />
      <ServerButton text={t('Test sign-in with {name}', { name })} loading={isBusy} onClick={() => void test()} />
      {waiting && <InOtherWindow name={name} waiting={waiting} onCancel={() => giveUp.current.abort()} />}
      <div role="status">
        {report && (
          <>
            <CheckResult result={report} />
            <ClaimTable name={name} claims={report.Claims} />
          </>
        )}
      </div>
    </div>
  );
}

interface InOtherWindowProps {
  name: string;
  waiting: Waiting;
  onCancel: () => void;
}

/** A provider that refuses the portal shows why in its own window, and never comes back. */
function InOtherWindow({ name, waiting, onCancel }: InOtherWindowProps) {
  const address = <code>{waiting.returnAddress}</code>;
  return (
    <div className="rs-setup-waiting">
      <p role="status">{t('Sign in in the window that has opened. The result appears here.')}</p>
      <p>
        {name.startsWith('oidc:')
          ? rich('If the provider shows an error instead, check that it knows this redirect address: {address}', {
              address,
            })
          : rich(
              'If the provider shows an error instead, check that it knows the metadata at this address: {address}',
              {
                address,
              },
            )}
      </p>
      <div className="rs-bar">
        <Button text={t('Open the window again')} onClick={() => bridge.openExternal(waiting.address)} />
        <Button text={t('Cancel the test')} onClick={onCancel} />
      </div>
    </div>
  );
}

function ClaimTable({ name, claims }: { name: string; claims: readonly Claim[] }) {
  if (claims.length === 0) return null;
  const title = t('What {name} says about this person', { name });
  return (
    <div className="rs-setup-table" role="region" aria-label={title} tabIndex={0}>
      <HTMLTable compact>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Name')}</th>
            <th scope="col">{t('Value')}</th>
          </tr>
        </thead>
        <tbody>
          {claims.map(({ Name, Values }, index) => (
            <tr key={index}>
              <th scope="row" className="rs-setup-name">
                <code>{Name}</code>
              </th>
              <td dir="auto">{Values.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </div>
  );
}
