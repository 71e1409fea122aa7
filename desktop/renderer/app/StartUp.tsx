import { Button, Callout, Spinner } from '@blueprintjs/core';
import { Error as ErrorIcon, Refresh } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ssoConfig } from '#shared/contract/auth.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { useSession } from './session.ts';
import './app.css';

const startQuery = new URLSearchParams(window.location.search);

/** How one may sign in here: fetched before anything else where nobody is signed in. */
export function useSsoConfig(enabled = true) {
  const redirect = startQuery.get('sso') === '0' ? 'false' : undefined;
  return useQuery({ ...queryOf(ssoConfig, { query: { redirect } }), enabled, staleTime: Infinity });
}

/** Renders the application when the person is signed in or may sign in; else says why it cannot and offers another try. */
export function StartUp({ children }: { children: ReactNode }) {
  const isSignedIn = useSession((state) => state.session !== null);
  const config = useSsoConfig(!isSignedIn);
  if (isSignedIn || config.data) return children;
  if (config.error) return <StartFailure onRetry={() => void config.refetch()} isBusy={config.isFetching} />;
  return (
    <div className="rs-start" role="status" aria-label="Loading">
      <Spinner size={32} />
    </div>
  );
}

function StartFailure({ onRetry, isBusy }: { onRetry: () => void; isBusy: boolean }) {
  return (
    <main className="rs-start">
      <Callout intent="danger" icon={<ErrorIcon />} className="rs-start-failure">
        <p role="alert">{startQuery.get('ssoError') ?? 'Page could not be loaded'}</p>
        <Button icon={<Refresh />} text="Retry" onClick={onRetry} loading={isBusy} />
      </Callout>
    </main>
  );
}
