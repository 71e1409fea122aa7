/** In which order a history stands, as it is in the address: '?sort=Duration.desc'. */
import type { HistorySearch, HistorySort } from '#shared/contract/run-history.ts';
import { t } from '#renderer/language/translate.ts';
import type { GridSort } from '#renderer/ui/grid/grid-model.ts';

const PARAMETER = 'sort';
/** What a column of the grid is sorted by; one of values is named by its side and number. */
const COLUMNS: Record<string, HistorySort['By']> = {
  Id: 'Id',
  // Runs are numbered as they are queued.
  QueueTime: 'Id',
  Duration: 'Duration',
  Status: 'Status',
  ActivityVersion: 'ActivityVersion',
  UserFullName: 'UserFullName',
  Name: 'Name',
};
const VALUES = /^(Inputs|Outputs)(\d{1,9})$/;

export function readSort(query: URLSearchParams): GridSort | null {
  const [key = '', direction] = (query.get(PARAMETER) ?? '').split('.');
  if (COLUMNS[key] === undefined && !VALUES.test(key)) return null;
  return { key, descending: direction === 'desc' };
}

export function writeSort(query: URLSearchParams, sort: GridSort | null): URLSearchParams {
  const next = new URLSearchParams(query);
  if (sort === null) next.delete(PARAMETER);
  else next.set(PARAMETER, sort.descending ? `${sort.key}.desc` : sort.key);
  return next;
}

/** The order as the server takes it; nothing for the newest first, which needs no asking. */
export function sortOf(sort: GridSort | null): Pick<HistorySearch, 'Sort'> {
  if (sort === null) return {};
  const { key, descending: Descending } = sort;
  const By = COLUMNS[key];
  if (By === 'Id' && Descending) return {};
  if (By !== undefined) return { Sort: { By, Descending } };
  const [, side, id] = VALUES.exec(key) ?? [];
  if (id === undefined) return {};
  const Direction = side === 'Outputs' ? 'output' : 'input';
  return { Sort: { By: 'Value', Descending, Direction, ActivityParameterId: Number(id) } };
}

/** What an order leaves out, in words; '' where it leaves out nothing. */
export function leftOutText(sort: GridSort | null, title: string): string {
  if (sort?.key === 'Duration') return t('Sorted by duration: runs that have not ended are left out.');
  return sort && VALUES.test(sort.key)
    ? t('Sorted by {title}: runs without a value there are left out.', { title })
    : '';
}
