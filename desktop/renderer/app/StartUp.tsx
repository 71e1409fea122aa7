import { Button, Callout, Spinner } from '@blueprintjs/core';
import { Error as ErrorIcon, Refresh } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { ssoConfig } from '#shared/contract/auth.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';
import { useAddIn } from './add-in.ts';
import { useOttLogin } from './ott-login.ts';
import { useSignInAgain } from './sign-in-again.ts';
import { pathBelowBase } from './remembered-path.ts';
import { useSession } from './session.ts';
import './app.css';

// Loaded on demand because few users see these, and only once.
const AddInHandoff = lazyPart(async () => (await import('./AddInHandoff.tsx')).AddInHandoff);
const AddInMessage = lazyPart(async () => (await import('./AddInHandoff.tsx')).AddInMessage);
const SignedInAgain = lazyPart(async () => (await import('./SignedInAgain.tsx')).SignedInAgain);

const startQuery = new URLSearchParams(window.location.search);
const MAX_ERROR_LENGTH = 300;

/** Message from the server about a failed sign-in; null if there is none. */
export const startSsoError = startQuery.get('ssoError')?.slice(0, MAX_ERROR_LENGTH) || null;

const startPath = pathBelowBase();

/** Pages that do not require a sign-in. */
const isPublicPath = (path: string): boolean => path.replace(/^\//, '').startsWith('public/');

/** Returns the available sign-in methods; fetched before anything else if nobody is signed in. */
export function useSsoConfig(enabled = true) {
  const hasFailed = useOttLogin((state) => state.error !== null) || startSsoError !== null;
  // After a sign-out or a failed sign-in, users are not redirected to a provider again unless they ask for it.
  const staysHere = startQuery.get('sso') === '0' || hasFailed || isPublicPath(startPath);
  const redirect = staysHere ? 'false' : undefined;
  const path = redirect ? undefined : startPath;
  return useQuery({ ...queryOf(ssoConfig, { query: { redirect, path } }), enabled, staleTime: Infinity });
}

/**
 * Renders the application if the user is signed in or may sign in; otherwise explains the problem and offers a retry.
 */
export function StartUp({ children }: { children: ReactNode }) {
  const isSignedIn = useSession((state) => state.session !== null);
  const { isBusy, message, error } = useOttLogin();
  const addIn = useAddIn();
  const again = useSignInAgain((state) => state.came);
  const config = useSsoConfig(!isSignedIn && !isBusy && addIn.result === null && again === null);
  const elsewhere = isSignedIn ? undefined : config.data?.Path;
  useEffect(() => {
    if (elsewhere !== undefined) bridge.leaveFor(elsewhere, startPath);
  }, [elsewhere]);
  useEffect(() => {
    if (isSignedIn) showMessage(message);
    if (isSignedIn && error !== null) showError(error);
  }, [isSignedIn, message, error]);
  if (again !== null) return <SignedInAgain {...again} />;
  if (addIn.result !== null) return <AddInMessage result={addIn.result} />;
  if (isSignedIn && addIn.request) return <AddInHandoff request={addIn.request} />;
  if (!isBusy && elsewhere === undefined && (isSignedIn || config.data)) return children;
  // A null result counts as missing. Source: specification of security, section 4.
  const isMissing = config.isSuccess && !config.data;
  if (config.error || isMissing)
    return <StartFailure onRetry={() => void config.refetch()} isBusy={config.isFetching} />;
  return (
    <div className="rs-start" role="status" aria-label={t('Loading')}>
      <Spinner size={32} />
    </div>
  );
}

function StartFailure({ onRetry, isBusy }: { onRetry: () => void; isBusy: boolean }) {
  return (
    <main className="rs-start">
      <Callout intent="danger" icon={<ErrorIcon />} className="rs-start-failure">
        <p role="alert">{startSsoError ?? t('Page could not be loaded')}</p>
        <Button icon={<Refresh />} text={t('Retry')} onClick={onRetry} loading={isBusy} />
      </Callout>
    </main>
  );
}
