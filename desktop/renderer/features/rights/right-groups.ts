import type { Right } from '#shared/contract/right-grants.ts';
import { compareNames } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';

export interface RightGroup {
  /** 'Activities by Schema'. */
  title: string;
  table: string;
  column: string;
  rights: Right[];
}

/**
 * Groups rights by table and key column. Rights without a table come first, then each table: first All, then its
 * columns.
 */
export function groupRights(rights: readonly Right[]): RightGroup[] {
  const groups = Map.groupBy(rights, ({ TableName, KeyColumnName }) => `${TableName}\0${KeyColumnName}`);
  return [...groups.values()]
    .map((members) => {
      const { TableName: table, KeyColumnName: column } = members[0]!;
      return { title: titleOf(table, column), table, column, rights: members };
    })
    .sort((a, b) => compareNames(a.table, b.table) || Number(a.column !== '') - Number(b.column !== ''));
}

function titleOf(table: string, column: string): string {
  if (table === '') return t('General');
  return column === '' ? said(table) : t('{table} by {column}', { table: said(table), column: said(column) });
}
