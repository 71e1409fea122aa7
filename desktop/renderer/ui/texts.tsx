import { fileSizeText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDay, formatDayTime, formatTime, relativeDay } from './format-date.ts';

/** Shows '1.5 KB', with the exact bytes as tooltip. */
export function FileSize({ bytes }: { bytes: number }) {
  return (
    <span className="rs-nowrap" title={t('{bytes} Bytes', { bytes })}>
      {fileSizeText(bytes)}
    </span>
  );
}

export interface DateTextProps {
  /** ISO 8601. */
  value: string;
  /** 'time' 5/Jan/2026 09:05; 'day' 5/Jan/2026; 'relative' Yesterday 09:05; 'clock' 09:05. */
  as?: 'time' | 'day' | 'relative' | 'clock';
}

/** A point in time in the user's time zone; the tooltip is exact. */
export function DateText({ value, as = 'time' }: DateTextProps) {
  const texts = {
    time: () => formatDayTime(value),
    day: () => formatDay(value),
    relative: () => `${relativeDay(value)} ${formatTime(value)}`,
    clock: () => formatTime(value),
  };
  return (
    <time className="rs-nowrap" dateTime={value} title={formatDayTime(value, true)}>
      {texts[as]()}
    </time>
  );
}
