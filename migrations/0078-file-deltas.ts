/** Results that are kept as what makes them different from the workbook they come from. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('StoredFiles', (t) => {
    // Where it is not null, the file is made of this one and Delta, and lies nowhere itself.
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
