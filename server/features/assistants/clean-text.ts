/**
 * Texts of workbooks in what assistants read. They are data: people who edit a workbook must not be able to hide
 * instructions in them that nobody else sees.
 */

/** Characters that people do not see: controls, format and direction marks, tags, variation selectors, private use. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u034F\u115F\u1160\u3164\uFFA0]/gu;
/** In values, line breaks and tabs stay. */
const INVISIBLE_IN_VALUES = new RegExp(`(?![\\n\\r\\t])${INVISIBLE.source}`, 'gu');

/**
 * Returns a name or description as one line, without anything invisible, of at most `max` characters as SQL Server counts
 * them: two for an emoji.
 */
export function cleanText(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll(INVISIBLE, '').replaceAll(/ {2,}/g, ' ').trim();
  if (line.length <= max) return line;
  // Half of an emoji is invisible.
  return `${line
    .slice(0, max - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}

/** Returns a text of a cell or message without anything invisible. */
export const visibleText = (text: string): string => text.replaceAll(INVISIBLE_IN_VALUES, '');

/** Returns the value with all its texts cleaned like visibleText. */
export function visibleValue(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visibleValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visibleValue(one)]));
}

/**
 * Returns a distinct key for each name, as the programs of all assistants accept it: up to `max` characters of a-z, 0-9
 * and _. Different names may look alike without their marks and signs: further ones get a number.
 */
export function distinctKeys(names: readonly string[], max = 60): string[] {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const plain = plainKey(name, max - 4) || `value_${index + 1}`;
    let key = plain;
    for (let count = 2; taken.has(key); count += 1) key = `${plain}_${count}`;
    taken.add(key);
    return key;
  });
}

/** Returns the name in a-z, 0-9 and _; '' if nothing remains of it. */
export function plainKey(name: string, max: number): string {
  const plain = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
  return plain
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, max)
    .replace(/_+$/, '');
}
