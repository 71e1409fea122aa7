import { STATUS_TEXT } from '#shared/contract/run-status.ts';
import type { PoolItem } from '#shared/contract/queueing.ts';
import type { ActivityTimes, FailureCount, ServerItem } from '#shared/contract/system.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';

const DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, useGrouping: false });

/** Such as 0.024 s, 12.3 s and 4 min 5 s. */
export function secondsText(seconds: number | null): string {
  if (seconds === null) return '';
  if (seconds < 60) return `${DIGITS.format(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

const ROLES: Record<string, string> = { both: 'Calls and runs', api: 'Calls', worker: 'Runs' };

export function serverStateText({ IsGone, IsDraining }: Pick<ServerItem, 'IsGone' | 'IsDraining'>): string {
  if (IsGone) return 'Gone';
  return IsDraining ? 'Stopping' : 'Working';
}

export const SERVER_COLUMNS: GridColumn<ServerItem>[] = [
  { key: 'Name', title: 'Server', text: ({ Name }) => Name },
  { key: 'State', title: 'State', text: serverStateText },
  { key: 'Role', title: 'Role', text: ({ Role }) => ROLES[Role] ?? Role },
  { key: 'Pools', title: 'Pools', text: ({ Pools }) => Pools.join(', ') },
  { key: 'Version', title: 'Version', text: ({ Version }) => Version },
  { key: 'StartedTime', title: 'Started', text: ({ StartedTime }) => formatDayTime(StartedTime) },
  { key: 'LastTime', title: 'Last sign', text: ({ LastTime }) => formatDayTime(LastTime) },
  {
    key: 'Threads',
    title: 'Busy threads',
    align: 'right',
    text: ({ BusyThreads, Threads }) => `${BusyThreads} of ${Threads}`,
    sortValue: ({ BusyThreads }) => BusyThreads,
  },
  {
    key: 'Processors',
    title: 'Processors',
    align: 'right',
    text: ({ Processors }) => Processors.toFixed(2),
    sortValue: ({ Processors }) => Processors,
  },
  {
    key: 'MemoryMb',
    title: 'Memory',
    align: 'right',
    text: ({ MemoryMb }) => `${MemoryMb} MB`,
    sortValue: ({ MemoryMb }) => MemoryMb,
  },
];

const countColumn = (key: 'Servers' | 'Activities' | 'Queued' | 'Running', title: string): GridColumn<PoolItem> => ({
  key,
  title,
  align: 'right',
  text: (row) => String(row[key]),
  sortValue: (row) => row[key],
});

/** What is wrong with a pool, if anything. */
export const poolStateText = ({ Servers, Queued }: Pick<PoolItem, 'Servers' | 'Queued'>): string =>
  Servers > 0 ? 'Served' : Queued > 0 ? 'Runs wait, and no server serves it' : 'No server serves it';

export const POOL_COLUMNS: GridColumn<PoolItem>[] = [
  { key: 'Pool', title: 'Pool', text: ({ Pool }) => Pool },
  { key: 'State', title: 'State', text: poolStateText },
  countColumn('Servers', 'Servers'),
  countColumn('Activities', 'Activities'),
  countColumn('Queued', 'Waiting'),
  countColumn('Running', 'Running'),
  {
    key: 'OldestTime',
    title: 'Oldest Waits Since',
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

export const ACTIVITY_COLUMNS: GridColumn<ActivityTimes>[] = [
  { key: 'Name', title: 'Activity', text: ({ Name }) => Name, to: ({ ActivityId }) => `/activities/${ActivityId}` },
  { key: 'Runs', title: 'Runs', align: 'right', text: ({ Runs }) => String(Runs), sortValue: ({ Runs }) => Runs },
  {
    key: 'Failed',
    title: 'Failed',
    align: 'right',
    text: ({ Failed }) => String(Failed),
    sortValue: ({ Failed }) => Failed,
  },
  timeColumn('P50', 'p50'),
  timeColumn('P95', 'p95'),
  timeColumn('P99', 'p99'),
  timeColumn('WaitingP95', 'Waiting p95'),
];

export const FAILURE_COLUMNS: GridColumn<FailureCount>[] = [
  { key: 'Status', title: 'Outcome', text: ({ Status }) => STATUS_TEXT[Status] },
  { key: 'Name', title: 'Activity', text: ({ Name }) => Name, to: ({ ActivityId }) => `/activities/${ActivityId}` },
  { key: 'Runs', title: 'Runs', align: 'right', text: ({ Runs }) => String(Runs), sortValue: ({ Runs }) => Runs },
];
