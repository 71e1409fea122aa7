/** Converts between the allowed values of an input and the columns Picker and PickerSource of the Portal sheet. */
import type { Mark } from '#shared/contract/designs.ts';
import { withOption } from './marks.ts';

export type AllowedKind = 'Cells' | 'None' | 'Typed' | 'Range' | 'Other';

export interface AllowedValues {
  /** Cells: the data validation of the cells decides. Other: a setting that can be changed only in Excel. */
  kind: AllowedKind;
  /** For Typed, one value per line. For Range, the address of the values: 'Lists!A2:A9'. */
  text: string;
  /** True if other values are accepted too. */
  isOpen: boolean;
}

export function allowedValues({ Options: { Picker, PickerSource = '' } }: Mark): AllowedValues {
  if (Picker === 'None') return { kind: 'None', text: '', isOpen: false };
  if ((Picker !== undefined && Picker !== 'List') || PickerSource.includes(';'))
    return { kind: 'Other', text: PickerSource, isOpen: false };
  if (Picker === undefined && PickerSource === '') return { kind: 'Cells', text: '', isOpen: false };
  const isOpen = PickerSource.startsWith('*');
  const source = isOpen ? PickerSource.slice(1) : PickerSource;
  const typed = /^"((?:[^"]|"")*)"$/s.exec(source);
  if (!typed) return { kind: 'Range', text: source, isOpen };
  const items = typed[1]!.replaceAll('""', '"').split(',');
  return { kind: 'Typed', text: items.map((item) => item.trim()).join('\n'), isOpen };
}

export function withAllowedValues(mark: Mark, { kind, text, isOpen }: AllowedValues): Mark {
  if (kind === 'Other') return mark;
  if (kind === 'Cells' || kind === 'None')
    return withOption(withOption(mark, 'PickerSource', ''), 'Picker', kind === 'None' ? 'None' : '');
  const source =
    kind === 'Typed' ? `"${itemsOf(text).join(',').replaceAll('"', '""')}"` : text.trim().replace(/^=/, '');
  return withOption(withOption(mark, 'Picker', 'List'), 'PickerSource', `${isOpen ? '*' : ''}${source}`);
}

/** Splits at line breaks and at commas, because an Excel list cannot contain a comma within a value. */
export const itemsOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
