/** The values that sk.ViewTable can be restricted to: a connection, or one of its tables. */
import type { Database } from '#server/db/database.ts';
import type { ObjectKeys } from '#server/access/rights/grants.ts';
import type { KeyValues } from '#server/access/rights/key-values.ts';
import { listViewedTables } from './table-views-repository.ts';

/** Maximum number of characters of a value that a right can be restricted to. */
const MAX_VALUE_LENGTH = 100;

/**
 * Returns the keys of a table; the table is named like 'Warehouse: sales.orders'. Tables with longer names can only be
 * covered by their connection.
 */
export function tableKeys(connection: string, table: string): ObjectKeys {
  const value = `${connection}: ${table}`;
  return { Connection: connection, ...(value.length <= MAX_VALUE_LENGTH ? { Table: value } : {}) };
}

/** Lists the tables that have views, so that no database must be queried for a list of rights. */
export function tableKeyValues(
  { knex }: Pick<Database, 'knex'>,
  connections: KeyValues,
): { Connection: KeyValues; Table: KeyValues } {
  return {
    Connection: {
      displayColumns: [],
      list: async (db) => (await connections.list(db)).map((one) => ({ ...one, keys: { Connection: one.value } })),
    },
    Table: {
      displayColumns: [],
      list: async (db = knex) =>
        (await listViewedTables(db)).flatMap(({ ConnectionName, TableName }) => {
          const keys = tableKeys(ConnectionName, TableName);
          const value = keys['Table'];
          if (value === undefined) return [];
          return [{ value: String(value), DisplayColumnName: '', DisplayColumnValue: '', keys }];
        }),
    },
  };
}
