/** Workbooks in which authors mark inputs and outputs in the browser, until they are published. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('WorkbookDesigns', (t) => {
    t.increments('Id');
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    // Null for a new activity.
    t.integer('ActivityId').references('Id').inTable('Activities').onDelete('CASCADE');
    t.string('SchemaName', 30).notNullable();
    // The workbook as it was opened.
    t.string('FileId', 43).notNullable().references('FileId').inTable('StoredFiles');
    // What a page shows of the workbook in addition to its cells: JSON.
    t.text('Overview').notNullable();
    // JSON.
    t.text('Marks').notNullable();
    // Increases with every change of the marks, so that nobody overwrites changes they have not seen.
    t.integer('Revision').notNullable();
    t.timestamp('ModifiedTime', time).notNullable().defaultTo(knex.fn.now());
    t.index(['UserId', 'ModifiedTime'], 'IX_WorkbookDesigns_UserId');
    t.index(['ActivityId'], 'IX_WorkbookDesigns_ActivityId');
    t.index(['ModifiedTime'], 'IX_WorkbookDesigns_ModifiedTime');
    t.index(['FileId'], 'IX_WorkbookDesigns_FileId');
  });
  await knex.schema.createTable('WorkbookDesignParts', (t) => {
    t.integer('DesignId').notNullable().references('Id').inTable('WorkbookDesigns').onDelete('CASCADE');
    t.integer('Sheet').notNullable();
    t.integer('Part').notNullable();
    t.string('FileId', 43).notNullable().references('FileId').inTable('StoredFiles');
    t.primary(['DesignId', 'Sheet', 'Part'], { constraintName: 'PK_WorkbookDesignParts' });
    t.index(['FileId'], 'IX_WorkbookDesignParts_FileId');
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['WorkbookDesignParts', 'WorkbookDesigns']) await knex.schema.dropTable(table);
}
