import type { PickerSource } from './picker-source.ts';
import type { Option } from './PickerList.tsx';
import type { PickerItems } from './use-picker-items.ts';

interface Search {
  /** What is typed; null where nothing was since the list was opened. */
  text: string | null;
  /** Whether the items are those of the text. */
  isAnswered: boolean;
  source: PickerSource;
  items: PickerItems;
  options: readonly Option[];
}

/**
 * The one item that is left of a list that was searched; null where there are others. A number or date that is typed whole stays what it is in
 * lists that take other values: 5 must not become the 15 that contains it.
 */
export function onlyMatch({ text, isAnswered, source, items, options }: Search): Option | null {
  const hasMore = items.more !== null || items.previous !== null;
  if (text === null || !isAnswered || options.length !== 1 || hasMore || source.seek(text) === '') return null;
  return source.preventOtherValues || !source.isWhole?.(text) ? options[0]! : null;
}
