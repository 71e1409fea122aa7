import type { HolidayCalendarEntry } from '#shared/contract/holiday-calendars.ts';
import { t } from '#renderer/language/translate.ts';

/**
 * Returns the calendars to choose from. The chosen one is always included, even if the list has not arrived or lacks
 * it. Otherwise the field would show another calendar.
 */
export function calendarOptions(calendars: readonly Pick<HolidayCalendarEntry, 'Id' | 'Name'>[], chosen: string) {
  const options = calendars.map(({ Id, Name }) => ({ value: String(Id), label: Name }));
  const isThere = chosen === '' || options.some(({ value }) => value === chosen);
  return isThere ? options : [...options, { value: chosen, label: t('Calendar {id}', { id: chosen }) }];
}
