/**
 * The filters, order and columns of a view, as in the page's address:
 * ?filter=[…]&sort=+name&sort=-amount&condition=…&column=name&own=7
 */
import {
  FILTER_OPERATORS,
  FILTER_VALUE_MAX,
  MAX_FILTER_VALUES,
  type ColumnFilter,
  type ColumnSort,
  type FilterKind,
  type FilterOperator,
  type ViewChoice,
} from '#shared/contract/tableviews.ts';
import { t } from '#renderer/language/translate.ts';
import { fitsAddress, listedValues } from './value-list.ts';

export interface ViewState {
  filters: readonly ColumnFilter[];
  sort: readonly ColumnSort[];
  /** As text; '' for no condition. */
  condition: string;
  /** Names of the visible columns; null for all. */
  columns: readonly string[] | null;
  /** Id of the own view from which this started. */
  own: number | null;
}

/** Reads the address; invalid filters are ignored. */
export function readView(params: URLSearchParams): ViewState {
  const sort = params.getAll('sort').flatMap((text): ColumnSort[] => {
    const Descending = text.startsWith('-');
    const ColumnName = text.slice(1);
    return ColumnName === '' ? [] : [{ ColumnName, Descending }];
  });
  const columns = params.getAll('column');
  const own = Number(params.get('own'));
  return {
    filters: params.getAll('filter').flatMap(readFilter),
    sort,
    condition: params.get('condition') ?? '',
    columns: columns.length > 0 ? columns : null,
    own: Number.isSafeInteger(own) && own > 0 ? own : null,
  };
}

/** Returns the choice in the form in which it is sent and stored. */
export const choiceOf = ({ filters, sort, condition, columns }: ViewState): ViewChoice => ({
  Filters: [...filters],
  Sort: [...sort],
  ...(condition === '' ? {} : { Condition: condition }),
  ...(columns === null ? {} : { Columns: [...columns] }),
});

export const stateOf = ({ Filters, Sort, Condition, Columns }: ViewChoice, own: number | null): ViewState => ({
  filters: Filters ?? [],
  sort: Sort ?? [],
  condition: Condition ?? '',
  columns: Columns ?? null,
  own,
});

function readFilter(text: string): ColumnFilter[] {
  try {
    const [ColumnName, Operator, ...Values] = JSON.parse(text) as unknown[];
    const isFilter =
      typeof ColumnName === 'string' &&
      ColumnName !== '' &&
      FILTER_OPERATORS.includes(Operator as FilterOperator) &&
      Values.every((value) => typeof value === 'string');
    return isFilter ? [{ ColumnName, Operator: Operator as FilterOperator, Values: Values as string[] }] : [];
  } catch {
    return [];
  }
}

export function writeView({ filters, sort, condition, columns, own }: ViewState): URLSearchParams {
  const params = new URLSearchParams();
  for (const { ColumnName, Operator, Values } of filters)
    params.append('filter', JSON.stringify([ColumnName, Operator, ...Values]));
  for (const { ColumnName, Descending } of sort) params.append('sort', `${Descending ? '-' : '+'}${ColumnName}`);
  if (condition !== '') params.set('condition', condition);
  for (const name of columns ?? []) params.append('column', name);
  if (own !== null) params.set('own', String(own));
  return params;
}

export const OPERATOR_TEXT: Record<FilterOperator, string> = {
  equals: t('is'),
  notEquals: t('is not'),
  less: t('is less than'),
  greater: t('is greater than'),
  between: t('is between'),
  contains: t('contains'),
  startsWith: t('starts with'),
  in: t('is one of'),
  blank: t('is blank'),
  notBlank: t('is not blank'),
};

const ORDERED: FilterOperator[] = ['equals', 'notEquals', 'less', 'greater', 'between'];

/** Operators for each kind of column; the first one is the default. */
export const OPERATORS: Record<FilterKind, readonly FilterOperator[]> = {
  Text: ['contains', 'startsWith', ...ORDERED, 'in', 'blank', 'notBlank'],
  Number: [...ORDERED, 'in', 'blank', 'notBlank'],
  Date: [...ORDERED, 'blank', 'notBlank'],
  Boolean: ['equals', 'notEquals', 'blank', 'notBlank'],
};

/** A filter while it is edited: texts as typed. */
export interface FilterDraft {
  ColumnName: string;
  Operator: FilterOperator;
  /** The second text is the upper bound of 'between'. */
  texts: readonly [string, string];
}

export const draftOf = ({ ColumnName, Operator, Values }: ColumnFilter): FilterDraft => ({
  ColumnName,
  Operator,
  texts: Operator === 'in' ? [Values.join('; '), ''] : [Values[0] ?? '', Values[1] ?? ''],
});

/** Returns the filter; null while the draft is incomplete. */
export function filterOf({ ColumnName, Operator, texts }: FilterDraft): ColumnFilter | null {
  if (Operator === 'blank' || Operator === 'notBlank') return { ColumnName, Operator, Values: [] };
  if (Operator === 'in') {
    const Values = listedValues(texts[0]);
    const isComplete = Values.length > 0 && Values.length <= MAX_FILTER_VALUES && fitsAddress(Values);
    return isComplete ? { ColumnName, Operator, Values } : null;
  }
  const Values = Operator === 'between' ? [...texts] : [texts[0]];
  const isComplete = Values.every((text) => text.trim() !== '' && text.length <= FILTER_VALUE_MAX);
  return isComplete ? { ColumnName, Operator, Values } : null;
}

/**
 * Puts the clicked column first; earlier columns decide among equal rows. `next` is the column's new direction, or null
 * to remove it.
 */
export function sortBy(
  sort: readonly ColumnSort[],
  name: string,
  next: boolean | null,
  maxColumns: number,
): readonly ColumnSort[] {
  const others = sort.filter(({ ColumnName }) => ColumnName !== name);
  return (next === null ? others : [{ ColumnName: name, Descending: next }, ...others]).slice(0, maxColumns);
}
