const DEFAULT_DAYS = 7;

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns the date of seven days ago, as '2026-11-14'. Source: specification of activities, section 9. */
export function defaultPurgeDate(today: Date): string {
  const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() - DEFAULT_DAYS);
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
