/** The cleanup of the file store looks up files by their keys. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('StoredFiles', (t) => {
    t.index(['StoreKey'], 'IX_StoredFiles_StoreKey');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('StoredFiles', (t) => {
    t.dropIndex([], 'IX_StoredFiles_StoreKey');
  });
}
