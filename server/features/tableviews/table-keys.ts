/** What sk.ViewTable may be limited to: a connection, or a table of one. */
import type { Database } from '#server/db/database.ts';
import type { ObjectKeys } from '#server/features/rights/grants.ts';
import type { KeyValues } from '#server/features/rights/key-values.ts';
import { listViewedTables } from './table-views-repository.ts';

/** Characters of a value that a right may be limited to. */
const LONGEST_VALUE = 100;

/** Of a table as rights name it: 'Warehouse: sales.orders'. Those with longer names are covered by their connection alone. */
export function tableKeys(connection: string, table: string): ObjectKeys {
  const value = `${connection}: ${table}`;
  return { Connection: connection, ...(value.length <= LONGEST_VALUE ? { Table: value } : {}) };
}

/** The tables are those that there are views of: no database has to be asked for a list of rights. */
export function tableKeyValues(
  { knex }: Pick<Database, 'knex'>,
  connections: KeyValues,
): { Connection: KeyValues; Table: KeyValues } {
  return {
    Connection: {
      displayColumns: [],
      list: async () => (await connections.list()).map((one) => ({ ...one, keys: { Connection: one.value } })),
    },
    Table: {
      displayColumns: [],
      list: async () =>
        (await listViewedTables(knex)).flatMap(({ ConnectionName, TableName }) => {
          const keys = tableKeys(ConnectionName, TableName);
          const value = keys['Table'];
          if (value === undefined) return [];
          return [{ value: String(value), DisplayColumnName: '', DisplayColumnValue: '', keys }];
        }),
    },
  };
}
