/** Sequences of digit placeholders with literals between them, and how digits fill them. */
import { endsGroup } from './digits.ts';
import type { Placeholder } from './tokens.ts';

/** A literal, or a place for a digit. */
export type Item = { literal: string } | { placeholder: Placeholder };

export const isPlaceholder = (item: Item): item is { placeholder: Placeholder } => 'placeholder' in item;

export const countPlaceholders = (items: readonly Item[]): number => items.filter(isPlaceholder).length;

const EMPTY: Record<Placeholder, string> = { '0': '0', '#': '', '?': ' ' };

/**
 * Fills in the whole digits, right-aligned: the first place takes all excess digits; of the places that stay empty, a
 * '0' is filled with zero. `separator` groups thousands, and with `inTwos` every second digit above them.
 */
export function fillWhole(items: readonly Item[], digits: string, separator = '', inTwos = false): string {
  let open = countPlaceholders(items);
  let used = 0;
  let result = '';
  const put = (text: string, position: number): void => {
    result += text;
    if (separator !== '' && text !== '' && endsGroup(position, inTwos)) result += text === ' ' ? ' ' : separator;
  };
  for (const item of items) {
    if (!isPlaceholder(item)) {
      result += item.literal;
      continue;
    }
    if (used === 0 && digits.length >= open) {
      for (; digits.length - used > open; used += 1) put(digits[used]!, digits.length - used - 1);
    }
    open -= 1;
    if (digits.length > open) {
      put(digits[used]!, open);
      used += 1;
    } else put(EMPTY[item.placeholder], open);
  }
  return result;
}

/** Fills in the decimals from left to right: places after the last significant digit stay empty, except for '0'. */
export function fillDecimals(items: readonly Item[], digits: string): string {
  let last = digits.length - 1;
  while (last >= 0 && digits[last] === '0') last -= 1;
  let result = '';
  let digitIndex = 0;
  for (const item of items) {
    if (!isPlaceholder(item)) result += item.literal;
    else {
      result += digitIndex <= last ? digits[digitIndex]! : EMPTY[item.placeholder];
      digitIndex += 1;
    }
  }
  return result;
}
