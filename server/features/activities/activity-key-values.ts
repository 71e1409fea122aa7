import type { Database } from '#server/db/database.ts';
import type { KeyValues } from '#server/access/rights/key-values.ts';
import { listSchemas } from '#server/access/schemas.ts';

/** Lists the keys that a right on activities can be restricted to: a schema, or one activity. */
export function activityKeyValues({ knex }: Pick<Database, 'knex'>): { Schema: KeyValues; Id: KeyValues } {
  return {
    Schema: {
      displayColumns: ['DisplayName'],
      list: async (db = knex) =>
        (await listSchemas(db)).map(({ Name, DisplayName }) => ({
          value: Name,
          DisplayColumnName: DisplayName === Name ? '' : 'DisplayName',
          DisplayColumnValue: DisplayName === Name ? '' : DisplayName,
          keys: { Schema: Name },
        })),
    },
    Id: {
      displayColumns: ['Name'],
      list: async (db = knex) => {
        const rows = await db('Activities').orderBy(['Schema', 'Name']).select('Id', 'Name', 'Schema');
        return rows.map(({ Id, Name, Schema }) => ({
          value: String(Id),
          DisplayColumnName: 'Name',
          DisplayColumnValue: Name,
          keys: { Id, Schema },
        }));
      },
    },
  };
}
