import { Button, Callout } from '@blueprintjs/core';
import { useState } from 'react';
import { toFailure } from '#renderer/api/app-failure.ts';
import { said, t } from '#renderer/language/translate.ts';
import { formatTime } from '#renderer/ui/format-date.ts';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { renewByPerson, useSession } from './session.ts';
import { useSignInAgainAt } from './use-sign-in-again.ts';

/**
 * Some providers need the user to renew a sign-in: two minutes before its end, this lets them do so without leaving the
 * page.
 */
export function SessionEnding() {
  const { session, asksPerson } = useSession();
  const provider = session?.ssoProvider ?? null;
  const { isWaiting, signIn, cancel } = useSignInAgainAt(provider);
  const [message, setMessage] = useState<string | null>(null);
  if (!asksPerson || provider === null || session?.ssoExpiry == null) return null;

  const renew = async (): Promise<void> => {
    setMessage(null);
    try {
      const ott = await signIn();
      if (ott === null) return;
      await renewByPerson(provider, ott);
      showSuccess(t('You stay signed in'));
    } catch (error) {
      setMessage(toFailure(error).message);
    }
  };
  return (
    <Callout intent="warning" icon={null} className="rs-session-ending" role="alert">
      <span>
        {message !== null
          ? said(message)
          : isWaiting
            ? t('Sign in in the window that has opened.')
            : t('Your sign-in ends at {ssoExpiry}. Sign in again to continue; this page stays as it is.', {
                ssoExpiry: formatTime(session.ssoExpiry),
              })}
      </span>
      {isWaiting ? (
        <Button text={t('Cancel')} onClick={cancel} />
      ) : (
        <Button intent="warning" text={t('Sign in again')} onClick={() => void renew()} />
      )}
    </Callout>
  );
}
