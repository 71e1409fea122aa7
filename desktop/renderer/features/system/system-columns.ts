import { STATUS_TEXT } from '#shared/contract/run-status.ts';
import type { PoolItem } from '#shared/contract/queueing.ts';
import type { ActivityTimes, FailureCount, ServerItem } from '#shared/contract/system.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';

/** Returns texts such as 0.024 s, 12.3 s and 4 min 5 s. */
export function secondsText(seconds: number | null): string {
  if (seconds === null) return '';
  if (seconds < 60) return `${numberText(seconds, { maximumSignificantDigits: 3, useGrouping: false })} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

const ROLES: Record<string, string> = { both: t('Requests and runs'), api: t('Requests'), worker: t('Runs') };

type ServerState = Pick<ServerItem, 'IsGone' | 'IsDraining' | 'IsDrainAsked' | 'Runs' | 'LastTime'>;

/** The last heartbeat is mentioned only for servers that are gone, because all others send one every few seconds. */
function serverStateText({ IsGone, IsDraining, IsDrainAsked, Runs, LastTime }: ServerState): string {
  if (IsGone) return t('No heartbeat since {time}', { time: formatDayTime(LastTime) });
  if (IsDrainAsked) return IsDraining && Runs === 0 ? t('Drained') : t('Draining');
  return IsDraining ? t('Stopping') : t('Working');
}

/**
 * Returns what no other server does while this one is drained: pools whose runs then wait, and whether it is the only
 * one that answers calls.
 */
export function missedWithout(server: ServerItem, servers: readonly ServerItem[]): { pools: string[]; calls: boolean } {
  const others = servers.filter(
    (other) => other.ServerId !== server.ServerId && !other.IsGone && !other.IsDraining && !other.IsDrainAsked,
  );
  return {
    pools: server.Pools.filter((pool) => !others.some(({ Pools }) => Pools.includes(pool))),
    calls: server.Role !== 'worker' && others.every(({ Role }) => Role === 'worker'),
  };
}

export const SERVER_COLUMNS: GridColumn<ServerItem>[] = [
  { key: 'Name', title: t('Server'), text: ({ Name }) => Name, givesWayTo: 120 },
  { key: 'State', title: t('State'), text: serverStateText },
  {
    key: 'AtWork',
    title: t('Runs'),
    align: 'right',
    text: ({ Runs }) => numberText(Runs),
    sortValue: ({ Runs }) => Runs,
  },
  {
    key: 'Threads',
    title: t('Busy threads'),
    givesWayTo: 110,
    align: 'right',
    text: ({ BusyThreads, Threads }) => t('{busyThreads} of {threads}', { busyThreads: BusyThreads, threads: Threads }),
    sortValue: ({ BusyThreads }) => BusyThreads,
  },
  {
    key: 'Processors',
    title: t('Processors'),
    align: 'right',
    text: ({ Processors }) => numberText(Processors, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    sortValue: ({ Processors }) => Processors,
  },
  {
    key: 'MemoryMb',
    title: t('Memory'),
    align: 'right',
    text: ({ MemoryMb }) => `${numberText(MemoryMb)} MB`,
    sortValue: ({ MemoryMb }) => MemoryMb,
  },
  { key: 'Role', title: t('Role'), text: ({ Role }) => ROLES[Role] ?? Role, givesWayTo: 90 },
  { key: 'Pools', title: t('Pools'), text: ({ Pools }) => Pools.join(', ') },
  { key: 'Version', title: t('Version'), text: ({ Version }) => Version },
  { key: 'StartedTime', title: t('Started'), text: ({ StartedTime }) => formatDayTime(StartedTime) },
];

const countColumn = (key: 'Servers' | 'Activities' | 'Queued' | 'Running', title: string): GridColumn<PoolItem> => ({
  key,
  title,
  align: 'right',
  text: (row) => numberText(row[key]),
  sortValue: (row) => row[key],
});

/** Returns the problem of a pool, if any. */
const poolStateText = ({ Servers, Queued }: Pick<PoolItem, 'Servers' | 'Queued'>): string =>
  Servers > 0
    ? t('Served')
    : Queued > 0
      ? t('Runs are waiting, but no server serves this pool')
      : t('No server serves this pool');

export const POOL_COLUMNS: GridColumn<PoolItem>[] = [
  { key: 'Pool', title: t('Pool'), text: ({ Pool }) => Pool },
  { key: 'State', title: t('State'), text: poolStateText },
  countColumn('Servers', t('Servers')),
  countColumn('Activities', t('Activities')),
  countColumn('Queued', t('Waiting')),
  countColumn('Running', t('Running')),
  {
    key: 'OldestTime',
    title: t('Oldest waiting since'),
    text: ({ OldestTime }) => (OldestTime ? formatDayTime(OldestTime) : ''),
  },
];

const timeColumn = (key: 'P50' | 'P95' | 'P99' | 'WaitingP95', title: string): GridColumn<ActivityTimes> => ({
  key,
  title,
  align: 'right',
  text: (row) => secondsText(row[key]),
  sortValue: (row) => row[key],
});

/** Compares the newer half of the runs with the older half: '+12%'; '' if there are too few. */
function trendOfP95({ OlderP95, NewerP95 }: ActivityTimes): string {
  if (!OlderP95 || NewerP95 === null) return '';
  return numberText(NewerP95 / OlderP95 - 1, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 });
}

export const ACTIVITY_COLUMNS: GridColumn<ActivityTimes>[] = [
  { key: 'Name', title: t('Activity'), text: ({ Name }) => Name, to: ({ ActivityId }) => `/activities/${ActivityId}` },
  {
    key: 'Runs',
    title: t('Runs'),
    align: 'right',
    text: ({ Runs }) => numberText(Runs),
    sortValue: ({ Runs }) => Runs,
  },
  {
    key: 'Failed',
    title: t('Failed'),
    align: 'right',
    text: ({ Failed }) => numberText(Failed),
    sortValue: ({ Failed }) => Failed,
  },
  timeColumn('P50', 'p50'),
  timeColumn('P95', 'p95'),
  timeColumn('P99', 'p99'),
  {
    key: 'Trend',
    title: t('Trend of p95'),
    align: 'right',
    text: trendOfP95,
    sortValue: ({ OlderP95, NewerP95 }) => (OlderP95 && NewerP95 !== null ? NewerP95 / OlderP95 : null),
  },
  timeColumn('WaitingP95', t('Waiting p95')),
];

export const FAILURE_COLUMNS: GridColumn<FailureCount>[] = [
  { key: 'Status', title: t('Outcome'), text: ({ Status }) => said(STATUS_TEXT[Status]) },
  { key: 'Name', title: t('Activity'), text: ({ Name }) => Name, to: ({ ActivityId }) => `/activities/${ActivityId}` },
  {
    key: 'Runs',
    title: t('Runs'),
    align: 'right',
    text: ({ Runs }) => numberText(Runs),
    sortValue: ({ Runs }) => Runs,
  },
];
