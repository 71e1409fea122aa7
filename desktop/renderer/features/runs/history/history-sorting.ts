/** The sort order of a history, as in the address: '?sort=Duration.desc'. */
import type { HistorySearch, HistorySort } from '#shared/contract/run-history.ts';
import { t } from '#renderer/language/translate.ts';
import type { GridSort } from '#renderer/ui/grid/grid-model.ts';

const PARAMETER = 'sort';
/** Sort keys by grid column. Value columns are named by direction and parameter id instead. */
const COLUMNS: ReadonlyMap<string, HistorySort['By']> = new Map([
  ['Id', 'Id'],
  // Runs are numbered in the order in which they are queued.
  ['QueueTime', 'Id'],
  ['Duration', 'Duration'],
  ['Status', 'Status'],
  ['ActivityVersion', 'ActivityVersion'],
  ['UserFullName', 'UserFullName'],
  ['Name', 'Name'],
]);
const VALUES = /^(Inputs|Outputs)(\d{1,9})$/;

export function readSort(query: URLSearchParams): GridSort | null {
  const [key = '', direction] = (query.get(PARAMETER) ?? '').split('.');
  if (!COLUMNS.has(key) && !VALUES.test(key)) return null;
  return { key, descending: direction === 'desc' };
}

export function writeSort(query: URLSearchParams, sort: GridSort | null): URLSearchParams {
  const next = new URLSearchParams(query);
  if (sort === null) next.delete(PARAMETER);
  else next.set(PARAMETER, sort.descending ? `${sort.key}.desc` : sort.key);
  return next;
}

/** Returns the order as the server expects it; empty for newest first, which is the default. */
export function sortOf(sort: GridSort | null): Pick<HistorySearch, 'Sort'> {
  if (sort === null) return {};
  const { key, descending: Descending } = sort;
  const By = COLUMNS.get(key);
  if (By === 'Id' && Descending) return {};
  if (By !== undefined) return { Sort: { By, Descending } };
  const [, side, id] = VALUES.exec(key) ?? [];
  if (id === undefined) return {};
  const Direction = side === 'Outputs' ? 'output' : 'input';
  return { Sort: { By: 'Value', Descending, Direction, ActivityParameterId: Number(id) } };
}

/** Describes which runs a sort order omits; '' if none. */
export function skippedText(sort: GridSort | null, title: string): string {
  if (sort?.key === 'Duration') return t('Sorted by duration: runs that have not ended are not shown.');
  return sort && VALUES.test(sort.key) ? t('Sorted by {title}: runs without this value are not shown.', { title }) : '';
}
