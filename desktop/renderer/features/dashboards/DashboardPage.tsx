import { Button } from '@blueprintjs/core';
import { Edit, Home, Share, Trash } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import {
  dashboardData,
  dashboardDetails,
  dashboardList,
  deleteDashboard,
  setStartPage,
  startPage,
  type Dashboard,
} from '#shared/contract/dashboards.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { OldTilesNote } from './OldTilesNote.tsx';
import { TileGrid } from './TileGrid.tsx';
import './dashboards.css';

const ShareDashboard = lazyPart(async () => (await import('./ShareDashboard.tsx')).ShareDashboard);

/** Poll interval for the tiles of a visible page, in milliseconds. */
const INTERVAL = 10_000;

/** /dashboards/{id} */
export function DashboardPage() {
  const text = useParams()['id'] ?? '';
  return /^[1-9]\d{0,9}$/.test(text) ? <DashboardOf key={text} id={Number(text)} /> : <NotFoundPage />;
}

function DashboardOf({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(queryOf(dashboardDetails, { params: { id } }));
  const isGone = OUTDATED.has(statusOf(error));
  const Revision = data?.Revision ?? 0;
  const tiles = useQuery({
    queryKey: [...keyOf(dashboardData), id, Revision],
    queryFn: ({ signal }) => call(dashboardData, { params: { id }, query: { Revision }, polls: true, signal }),
    refetchInterval: INTERVAL,
    enabled: data !== undefined && !isGone,
  });
  const { errorUpdatedAt } = tiles;
  const status = statusOf(tiles.error);
  const isOutdated = OUTDATED.has(status);
  // The changed dashboard is on its way.
  const isChanging = status === CHANGED;
  useEffect(() => {
    if (isOutdated && errorUpdatedAt > 0) void refetch();
  }, [isOutdated, errorUpdatedAt, refetch]);
  if (!data || isGone) {
    return (
      <Page title={t('Dashboard')}>
        {error ? <FailureState error={error} onRetry={() => void refetch()} /> : <Skeleton kind="tiles" />}
      </Page>
    );
  }
  return (
    <Page
      title={data.Name}
      description={data.CanShare ? undefined : t('Owner: {ownerFullName}', { ownerFullName: data.OwnerFullName })}
      actions={<Actions dashboard={data} />}
    >
      {data.Tiles.length === 0 && (
        <EmptyState title={t('No tiles yet')}>{data.CanEdit ? t('Edit the dashboard to add tiles.') : ''}</EmptyState>
      )}
      {tiles.error && !tiles.data && !isChanging && (
        <FailureState error={tiles.error} onRetry={() => void tiles.refetch()} />
      )}
      {!isChanging && <OldTilesNote query={tiles} />}
      {(!tiles.error || tiles.data || isChanging) && <TileGrid tiles={data.Tiles} data={tiles.data} isLinked />}
    </Page>
  );
}

/** The dashboard has been changed, deleted, or is no longer shared with the user. */
const CHANGED = 409;
const OUTDATED: ReadonlySet<number> = new Set([403, 404, CHANGED]);

const statusOf = (error: unknown): number => (error instanceof AppFailure ? error.status : 0);

const TOUCHED = [dashboardDetails, dashboardList, startPage] as const;

function Actions({ dashboard }: { dashboard: Dashboard }) {
  const { Id, Name, CanEdit, CanShare, CanSetRoles, IsStart } = dashboard;
  const [open, setOpen] = useState<'share' | 'delete' | null>(null);
  const { isBusy, change } = useChange(TOUCHED);
  const navigate = useNavigate();
  const begin = (): Promise<boolean> =>
    change(
      () => call(setStartPage, { body: { DashboardId: IsStart ? null : Id } }),
      IsStart ? t('Your start page was reset') : t('This dashboard is now your start page'),
    );
  return (
    <>
      <Button
        icon={<Home />}
        text={t('Start page')}
        active={IsStart}
        aria-pressed={IsStart}
        disabled={isBusy}
        onClick={() => void begin()}
      />
      {(CanShare || CanSetRoles) && <Button icon={<Share />} text={t('Share')} onClick={() => setOpen('share')} />}
      {CanShare && (
        <Button
          icon={<Trash title={false} />}
          aria-label={t('Delete {name}', { name: Name })}
          onClick={() => setOpen('delete')}
        />
      )}
      {CanEdit && <LinkButton to={`/dashboards/edit/${Id}`} intent="primary" icon={<Edit />} text={t('Edit')} />}
      {open === 'share' && <ShareDashboard dashboard={dashboard} onClose={() => setOpen(null)} />}
      <DeleteDialog
        isOpen={open === 'delete'}
        isBusy={isBusy}
        onCancel={() => setOpen(null)}
        onConfirm={() =>
          void change(async () => {
            await call(deleteDashboard, { params: { id: Id } });
            // Navigate before the page refetches the deleted dashboard.
            void navigate('/dashboards', { replace: true });
          }, t('Dashboard deleted'))
        }
      >
        {t('Delete {name} for everyone?', { name: Name })}
      </DeleteDialog>
    </>
  );
}
