import { Classes } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { systemState, type SystemState } from '#shared/contract/system.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { MaintenanceForm } from './MaintenanceForm.tsx';
import { ServersGrid } from './ServersGrid.tsx';
import { StoragePart } from './StoragePart.tsx';
import { TrendPart } from './TrendPart.tsx';
import { ACTIVITY_COLUMNS, FAILURE_COLUMNS, POOL_COLUMNS, secondsText } from './system-columns.ts';
import './system.css';

const INTERVAL = 5_000;

/** /system, for user administrators. */
export function SystemPage() {
  const profile = useProfile();
  return (
    <Page title={t('System')}>
      {profile && !profile.IsUserAdmin && <EmptyState title={NO_PERMISSION} />}
      {profile?.IsUserAdmin && <SystemParts />}
    </Page>
  );
}

function SystemParts() {
  const query = useQuery({
    queryKey: keyOf(systemState),
    queryFn: ({ signal }) => call(systemState, { signal, polls: true }),
    refetchInterval: INTERVAL,
    ...keepPrevious,
  });
  return (
    <QueryStates query={query}>
      {(state) => (
        <>
          <Card title={t('Maintenance')}>
            <MaintenanceForm key={state.Maintenance ?? ''} text={state.Maintenance} />
          </Card>
          <Card title={t('Servers')}>
            <ServersGrid servers={state.Servers} />
          </Card>
          <Card title={t('Queue')}>
            <Queue queue={state.Queue} />
          </Card>
          <Card title={t('Pools')}>
            <DataGrid
              label={t('Pools')}
              rows={state.Pools}
              columns={POOL_COLUMNS}
              empty={t('There are no pools')}
              maxRows={10}
            />
          </Card>
          <NewestRuns state={state} />
        </>
      )}
    </QueryStates>
  );
}

function Queue({ queue }: { queue: SystemState['Queue'] }) {
  const facts: [string, string][] = [
    [t('Waiting for a worker'), String(queue.Queued)],
    [t('Longest wait'), queue.Queued === 0 ? t('none') : secondsText(queue.OldestSeconds)],
    [t('Running'), String(queue.Running)],
    [t('Waiting for other runs'), String(queue.Waiting)],
    [t('Overdue schedules'), String(queue.LateSchedules)],
  ];
  return (
    <dl className="rs-system-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function NewestRuns({ state: { LookedAt, Activities, Failures } }: { state: SystemState }) {
  const since = LookedAt.Since === null ? '' : t(', since {since}', { since: formatDayTime(LookedAt.Since) });
  return (
    <>
      <Card title={t('Slowest activities')}>
        <p className={Classes.TEXT_MUTED}>
          {t(
            'Based on the newest {runs, plural, one {run} other {# runs}}{since}. Times are the 50th, 95th, and 99th percentiles.',
            {
              runs: LookedAt.Runs,
              since,
            },
          )}
        </p>
        <DataGrid
          label={t('Slowest activities')}
          rows={Activities}
          columns={ACTIVITY_COLUMNS}
          empty={t('Nothing has run yet')}
          maxRows={10}
        />
        <TrendPart activities={Activities} />
      </Card>
      <Card title={t('Failures')}>
        <DataGrid
          label={t('Failures')}
          rows={Failures}
          columns={FAILURE_COLUMNS}
          empty={t('None of these runs failed')}
          maxRows={10}
        />
      </Card>
      <Card title={t('Storage')}>
        <StoragePart />
      </Card>
    </>
  );
}
