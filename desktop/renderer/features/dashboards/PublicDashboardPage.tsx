import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { publicDashboard } from '#shared/contract/dashboards.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { pageSettings } from '#renderer/api/page-settings.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { Logo } from '#renderer/app/Logo.tsx';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { t } from '#renderer/language/translate.ts';
import '#renderer/features/public-run/public-run.css';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { OldTilesNote } from './OldTilesNote.tsx';
import { TileGrid } from './TileGrid.tsx';
import './dashboards.css';

const INTERVAL = 30_000;

/** /public/dashboards#{token}: for anyone who has the link. The part after # appears in no server log. */
export function PublicDashboardPage() {
  const token = useLocation().hash.slice(1);
  if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return <NotFoundPage />;
  return (
    <div className="rs-public">
      <header className="rs-public-head">
        <Logo size={22} address={pageSettings.logo2} /> {pageSettings.title}
      </header>
      <main>
        <Shown token={token} />
      </main>
    </div>
  );
}

function Shown({ token }: { token: string }) {
  const query = useQuery({
    queryKey: [...keyOf(publicDashboard), token],
    queryFn: ({ signal }) => call(publicDashboard, { body: { Token: token }, signal }),
    refetchInterval: INTERVAL,
  });
  const { data, error, refetch } = query;
  // Once the link has ended, nobody should take what it showed for the present.
  if (!data || (error instanceof AppFailure && error.status === 404)) {
    return (
      <Page title={error ? t('Dashboard') : ''}>
        {error ? <FailureState error={error} onRetry={() => void refetch()} /> : <Skeleton kind="tiles" />}
      </Page>
    );
  }
  return (
    <Page title={data.Name}>
      <OldTilesNote query={query} />
      {data.Tiles.length === 0 && <EmptyState title={t('No tiles yet')} />}
      <TileGrid tiles={data.Tiles} data={data.Data} isLinked={false} />
    </Page>
  );
}
