import { Button, Dialog, DialogBody } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { clientName } from '#shared/codecs/client-name.ts';
import type { SignInProof } from '#shared/contract/auth.ts';
import { endOtherSessions, endOwnSession, listOwnSessions, type OwnSession } from '#shared/contract/own-sessions.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { encryptPasswords } from '#renderer/api/passwords.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { signOut, signOutByProof, useSession } from '#renderer/app/session.ts';
import { useSignInAgainAt } from '#renderer/app/use-sign-in-again.ts';
import { deletedStartsText } from '#renderer/features/outbox/LogOutDialog.tsx';
import { countWaitingStarts } from '#renderer/features/outbox/use-outbox.ts';
import { ProofForm } from '#renderer/features/second-factor/ProofForm.tsx';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';

/** Which sessions to end. */
export type Ending = { session: OwnSession } | 'others' | 'all';

interface EndSessionsDialogProps {
  ending: Ending | null;
  close: () => void;
}

/**
 * Asks for proof of identity before sessions end: someone who finds this page open must not be able to log its user out
 * elsewhere.
 */
export function EndSessionsDialog({ ending, close }: EndSessionsDialogProps) {
  const { session } = useSession();
  const provider = session?.ssoProvider ?? null;
  const userName = session?.userName ?? '';
  const [waiting, setWaiting] = useState(0);
  useEffect(() => {
    if (ending === 'all') void countWaitingStarts().then(setWaiting);
  }, [ending]);

  const end = async (proof: SignInProof): Promise<void> => {
    if (ending === null) return;
    if (ending === 'all') return signOutByProof(proof);
    if (ending === 'others') await call(endOtherSessions, { body: proof });
    else await call(endOwnSession, { body: { Id: ending.session.Id, ...proof } });
    showSuccess(ending === 'others' ? t('All other sessions have ended') : t('The session has ended'));
    close();
    await queryClient.invalidateQueries({ queryKey: keyOf(listOwnSessions) });
  };
  const endByPassword = async (password: string): Promise<void> => {
    const [Password = ''] = await encryptPasswords(userName, [password]);
    await end({ Password });
  };
  const submit = ending === 'all' ? t('Log out') : t('End');

  return (
    <Dialog isOpen={ending !== null} title={t('End sessions')} onClose={close} icon={null}>
      <DialogBody>
        <p>{ending !== null && questionOf(ending)}</p>
        {ending === 'all' && waiting > 0 && <p>{deletedStartsText(waiting)}</p>}
        {provider === null ? (
          <ProofForm
            asks={{ password: true, code: false }}
            submit={submit}
            work={({ password }) => endByPassword(password)}
            onCancel={close}
          />
        ) : (
          <ProviderProof
            provider={provider}
            // For these providers, logging out everywhere asks for no proof in the menu either.
            isAsked={!(ending === 'all' && provider.startsWith('saml2:'))}
            submit={submit}
            work={end}
            leave={() => signOut({ everywhere: true })}
            onCancel={close}
          />
        )}
      </DialogBody>
    </Dialog>
  );
}

interface ProviderProofProps {
  provider: string;
  isAsked: boolean;
  submit: string;
  work: (proof: SignInProof) => Promise<void>;
  leave: () => Promise<void>;
  onCancel: () => void;
}

function ProviderProof({ provider, isAsked, submit, work, leave, onCancel }: ProviderProofProps) {
  const { isWaiting, signIn } = useSignInAgainAt(provider);
  const [message, setMessage] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);

  const go = async (): Promise<void> => {
    setAttempt(attempt + 1);
    setMessage(null);
    try {
      if (!isAsked) return await leave();
      const ott = await signIn();
      if (ott !== null) await work({ Ott: ott });
    } catch (error) {
      setMessage(toFailure(error).message);
    }
  };

  return (
    <>
      <ErrorSummary title={message} attempt={attempt} />
      {isAsked && (
        <p role="status">
          {isWaiting
            ? t('Sign in in the window that has opened.')
            : t('Your sign-in provider first asks you to sign in, in a separate window.')}
        </p>
      )}
      <div className="rs-form-actions">
        <Button
          intent="primary"
          text={isAsked ? t('Sign in again') : submit}
          loading={isWaiting}
          onClick={() => void go()}
        />
        <Button text={t('Cancel')} onClick={onCancel} />
      </div>
    </>
  );
}

function questionOf(ending: Ending): string {
  if (ending === 'all') return t('You are logged out here and on every other device.');
  if (ending === 'others') return t('You stay signed in here, and are logged out on every other device.');
  const { Client, Address } = ending.session;
  return Address === ''
    ? t('{client} is logged out.', { client: clientName(Client) })
    : t('{client} at {address} is logged out.', { client: clientName(Client), address: Address });
}
