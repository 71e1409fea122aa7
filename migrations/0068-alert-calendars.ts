/** Lateness alerts can skip the holidays of a calendar. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Alerts', (t) => {
    t.integer('CalendarId').references('Id').inTable('HolidayCalendars');
  });
  await knex.schema.alterTable('Alerts', (t) => {
    t.index(['CalendarId'], 'IX_Alerts_CalendarId', { predicate: knex.whereNotNull('CalendarId') });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('Alerts', (t) => t.dropIndex([], 'IX_Alerts_CalendarId'));
  await knex.schema.alterTable('Alerts', (t) => t.dropForeign(['CalendarId']));
  await knex.schema.alterTable('Alerts', (t) => t.dropColumn('CalendarId'));
}
