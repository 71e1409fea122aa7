import type { PickerSource } from './picker-source.ts';
import type { Option } from './PickerList.tsx';
import type { PickerItems } from './use-picker-items.ts';

interface Search {
  /** The typed text; null if nothing was typed since the list was opened. */
  text: string | null;
  /** True if the items belong to the text. */
  isAnswered: boolean;
  source: PickerSource;
  items: PickerItems;
  options: readonly Option[];
}

/**
 * Returns the only remaining search result; null if there are several. If other values are allowed, a complete number
 * or date stays as typed: 5 must not become 15, which contains it.
 */
export function onlyMatch({ text, isAnswered, source, items, options }: Search): Option | null {
  const hasMore = items.more !== null || items.previous !== null;
  if (text === null || !isAnswered || options.length !== 1 || hasMore || source.seek(text) === '') return null;
  return source.preventOtherValues || !source.isComplete?.(text) ? options[0]! : null;
}
