import { DatePicker } from '@blueprintjs/datetime';
import { useState } from 'react';
import { fromSerial, toSerial } from '#shared/codecs/serial-date.ts';
import { currentLocale, t } from '#renderer/language/translate.ts';
import '@blueprintjs/datetime/lib/css/blueprint-datetime.css';

/** English is built in. The picker's own loader would request files from the server that no build contains. */
const loadNames = async (language: string) =>
  language === 'de' ? (await import('date-fns/locale/de')).default : undefined;

/**
 * A month view for picking a day. The picker works with local dates; only their year, month and day are used, so that
 * no time zone can shift a day. The time of day of the value is preserved.
 */
interface DateCalendarProps {
  serial: number | null;
  /** The first and last day that can be picked. */
  first: number | null;
  last: number | null;
  onPick: (serial: number | null) => void;
}

function localDate(serial: number | null): Date | null {
  const parts = serial === null ? null : fromSerial(serial);
  return parts && parts.day > 0 ? new Date(parts.year, parts.month - 1, parts.day) : null;
}

export function DateCalendar({ serial, first, last, onPick }: DateCalendarProps) {
  const value = localDate(serial);
  const [thisYear] = useState(() => new Date().getFullYear());
  const middle = value?.getFullYear() ?? thisYear;
  return (
    <DatePicker
      value={value}
      minDate={localDate(first) ?? new Date(Math.max(1900, middle - 100), 0, 1)}
      maxDate={localDate(last) ?? new Date(Math.min(9999, middle + 100), 11, 31)}
      highlightCurrentDay
      dayPickerProps={{ weekStartsOn: 1, showOutsideDays: false }}
      locale={currentLocale()}
      dateFnsLocaleLoader={loadNames}
      todayButtonText={t('Today')}
      clearButtonText={t('Clear')}
      canClearSelection
      showActionsBar
      onChange={(date, isUserChange) => {
        if (!isUserChange) return;
        if (!date) return onPick(null);
        const day = toSerial({ year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() });
        onPick(day === null ? null : day + (serial === null ? 0 : serial - Math.floor(serial)));
      }}
    />
  );
}
