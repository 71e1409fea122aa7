import type { HolidayCalendarEntry } from '#shared/contract/holiday-calendars.ts';
import { t } from '#renderer/language/translate.ts';

/** Calendars to choose from; the chosen one is among them while they are not there, or without it: the field would else show another. */
export function calendarOptions(calendars: readonly Pick<HolidayCalendarEntry, 'Id' | 'Name'>[], chosen: string) {
  const options = calendars.map(({ Id, Name }) => ({ value: String(Id), label: Name }));
  const isThere = chosen === '' || options.some(({ value }) => value === chosen);
  return isThere ? options : [...options, { value: chosen, label: t('Calendar {id}', { id: chosen }) }];
}
