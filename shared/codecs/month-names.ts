/** Month and weekday names as users and Excel write them, in English and in the language of a region. */

const ENGLISH = 'en';
const names = new Map<string, { months: string[][]; weekdays: string[] }>();

function namesOf(id: string): { months: string[][]; weekdays: string[] } {
  let found = names.get(id);
  if (!found) names.set(id, (found = { months: monthsIn(id), weekdays: weekdaysIn(id) }));
  return found;
}

const plain = (word: string): string => word.toLowerCase().replaceAll('.', '').normalize('NFC');

/**
 * Returns all forms of each month name: many languages inflect the name after a day number. In German, Excel
 * abbreviates March as 'Mrz'.
 */
function monthsIn(id: string): string[][] {
  const forms = (['long', 'short'] as const).flatMap((month) => [
    new Intl.DateTimeFormat(id, { month, timeZone: 'UTC' }),
    new Intl.DateTimeFormat(id, { day: 'numeric', month, timeZone: 'UTC' }),
  ]);
  return Array.from({ length: 12 }, (_, month) => {
    const texts = forms.map((form) => {
      const parts = form.formatToParts(Date.UTC(2023, month, 1));
      return plain(parts.find(({ type }) => type === 'month')?.value ?? '');
    });
    const others = month === 2 && id.startsWith('de') ? ['mrz'] : [];
    return [...texts, ...others].filter((text) => /^\p{L}{2,}$/u.test(text));
  });
}

function weekdaysIn(id: string): string[] {
  const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2023, 0, 1 + day));
  return (['long', 'short'] as const).flatMap((weekday) => {
    const form = new Intl.DateTimeFormat(id, { weekday, timeZone: 'UTC' });
    return days.map((day) => plain(form.format(day)));
  });
}

/**
 * Returns 1 to 12 for 'Jan', 'january', 'Sept.' and the names of the region; 0 if the word is not a month or is
 * ambiguous.
 * @param shown further names per month, such as those that the format of a cell shows
 */
export function monthOf(word: string, region?: string, shown?: readonly (readonly string[])[]): number {
  const wanted = plain(word);
  const languages = [...new Set([ENGLISH, region ?? ENGLISH])].map((id) => namesOf(id).months);
  for (const months of shown ? [...languages, shown.map((names) => names.map(plain))] : languages) {
    const exact = months.findIndex((forms) => forms.includes(wanted));
    if (exact >= 0) return exact + 1;
    const matching = months.flatMap((forms, index) =>
      forms.some((form) => form.startsWith(wanted)) ? [index + 1] : [],
    );
    if (wanted.length >= 3 && matching.length === 1) return matching[0]!;
  }
  return 0;
}

/** Returns '31 January 2026' for 'Saturday, 31 January 2026'. */
export function withoutWeekday(text: string, region?: string): string {
  const [, word, rest] = /^(\p{L}+)\.?,? (.+)$/u.exec(text) ?? [];
  if (word === undefined || rest === undefined) return text;
  const isWeekday = [ENGLISH, region ?? ENGLISH].some((id) => namesOf(id).weekdays.includes(plain(word)));
  return isWeekday ? rest : text;
}
