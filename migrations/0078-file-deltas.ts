/** Results that are stored as their differences from the source workbook. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('StoredFiles', (t) => {
    // If not null, the file is rebuilt from this file and Delta, and is not stored itself.
    t.string('BaseFileId', 43).references('FileId').inTable('StoredFiles').withKeyName('FK_StoredFiles_BaseFileId');
    t.text('Delta');
  });
  await knex.schema.alterTable('StoredFiles', (t) => {
    t.index(['BaseFileId'], 'IX_StoredFiles_BaseFileId', { predicate: knex.whereNotNull('BaseFileId') });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('StoredFiles', (t) => {
    t.dropIndex([], 'IX_StoredFiles_BaseFileId');
  });
  await knex.schema.alterTable('StoredFiles', (t) => {
    t.dropForeign(['BaseFileId'], 'FK_StoredFiles_BaseFileId');
  });
  await knex.schema.alterTable('StoredFiles', (t) => t.dropColumns('BaseFileId', 'Delta'));
}
