/** Builds a read of a table from a view and a person's filters. */
import { ConditionError } from '#shared/codecs/condition.ts';
import { readCondition, type ConditionColumn, type TypedCondition } from '#shared/codecs/condition-columns.ts';
import { comparedColumns, isCompared } from '#server/connections/tables/compared-columns.ts';
import type { Person } from '#server/base/person.ts';
import { AppError } from '#server/base/app-error.ts';
import type { TableFilter } from '#server/connections/tables/filter-sql.ts';
import type { TableRead } from '#server/connections/tables/page-sql.ts';
import type { CatalogColumn, CatalogTable } from '#server/connections/tables/types.ts';
import {
  MAX_FILTER_VALUES,
  type FilterCriteria,
  type ValueColumn,
  type ViewInfo,
} from '#shared/contract/tableviews.ts';

export interface ShownColumn {
  column: CatalogColumn;
  shown: ValueColumn;
}

/** Returns the chosen columns that the table still has, and a sentence about missing ones. */
export function valueColumns({ Columns }: ViewInfo, table: CatalogTable): { columns: ShownColumn[]; message: string } {
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  const chosen = Columns.filter(({ Selected }) => Selected);
  const columns = chosen.flatMap(({ ColumnName, DisplayName, CellUsage, DisplayFormat }): ShownColumn[] => {
    const column = byName.get(ColumnName);
    if (!column) return [];
    const FilterKind = CellUsage === 'Text' ? 'Text' : column.kind;
    const ConditionKind = isCompared(column) ? column.kind : null;
    const CanSort = column.canSort;
    const shown = { ColumnName, DisplayName, CellUsage, DisplayFormat, FilterKind, CanSort, ConditionKind };
    return [{ column, shown }];
  });
  if (columns.length === 0)
    throw new AppError('viewInvalid', 400, 'The table no longer has any of the columns of this view');
  const lost = chosen.filter(({ ColumnName }) => !byName.has(ColumnName)).map(({ ColumnName }) => ColumnName);
  return { columns, message: lost.length > 0 ? `The table no longer has these columns: ${lost.join(', ')}.` : '' };
}

/**
 * Builds a read of all rows that match the criteria. Only columns of the view can be filtered and sorted by. Throws an
 * AppError 400.
 */
export function readOf(table: CatalogTable, columns: readonly ShownColumn[], criteria: FilterCriteria): TableRead {
  const { Filters = [], Sort = [], After = null, Condition = '', Columns } = criteria;
  const byName = new Map(columns.map((one) => [one.shown.ColumnName, one]));
  const find = (name: string): ShownColumn => {
    const found = byName.get(name);
    if (!found) throw new AppError('filterInvalid', 400, `The view has no column ${name}`);
    return found;
  };
  const values = Filters.reduce((sum, { Values }) => sum + Values.length, 0);
  if (values > MAX_FILTER_VALUES)
    throw new AppError('filterInvalid', 400, `Filters can contain at most ${MAX_FILTER_VALUES} values`);
  const filters = Filters.map(({ ColumnName, Operator, Values }): TableFilter => {
    const { column, shown } = find(ColumnName);
    return { column, by: shown.FilterKind, operator: Operator, values: Values };
  });
  const sort = Sort.map(({ ColumnName, Descending }) => {
    const { column } = find(ColumnName);
    if (!column.canSort) throw new AppError('filterInvalid', 400, `You cannot sort by ${ColumnName}`);
    return { column, descending: Descending };
  });
  if (new Set(sort.map(({ column }) => column.name)).size < sort.length)
    throw new AppError('filterInvalid', 400, 'You can sort by each column only once');
  const all = columns.map(({ column }) => column);
  const conditions = personsCondition(Condition, comparedColumns(all));
  const chosen = new Set(Columns?.map((name) => find(name).column));
  const shown = Columns ? all.filter((column) => chosen.has(column)) : all;
  return { table, columns: shown, filters, conditions, sort, after: After, limit: null, cutAt: null };
}

function personsCondition(text: string, columns: readonly ConditionColumn[]): TypedCondition[] {
  try {
    const condition = readCondition(text, columns);
    return condition === null ? [] : [condition];
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    throw new AppError('filterInvalid', 400, error.message, {
      modelState: { Condition: [error.message] },
      cause: error,
    });
  }
}

/**
 * Returns the condition of the view itself, applied to the person. If it no longer fits the table, throws an AppError
 * 409: showing nothing is safer than showing hidden rows.
 */
export function rowCondition(
  { RowCondition = '' }: ViewInfo,
  { columns }: CatalogTable,
  { UserName, Roles }: Pick<Person, 'UserName'> & { Roles: readonly string[] },
): TypedCondition[] {
  try {
    const condition = readCondition(RowCondition, comparedColumns(columns), { UserName, Roles });
    return condition === null ? [] : [condition];
  } catch (cause) {
    if (!(cause instanceof ConditionError)) throw cause;
    throw new AppError('viewInvalid', 409, 'The row condition of this view no longer fits its table', { cause });
  }
}
