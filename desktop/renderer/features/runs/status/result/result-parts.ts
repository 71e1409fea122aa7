/** Sorts the outputs of a run for display: figures first, then other single values and files, then tables. */
import { isFileValue, isSingleValue } from '#shared/codecs/value-table.ts';
import type { ShownValue } from '#renderer/ui/values/ValuesView.tsx';

export interface ResultParts {
  /** Single values, displayed large. */
  figures: ShownValue[];
  /** HTML, files, and outputs without a value. */
  listed: ShownValue[];
  tables: ShownValue[];
}

export function resultParts(values: readonly ShownValue[]): ResultParts {
  const parts: ResultParts = { figures: [], listed: [], tables: [] };
  for (const value of values) parts[partOf(value)].push(value);
  return parts;
}

function partOf({ note, info }: ShownValue): keyof ResultParts {
  if (note !== '' || isFileValue(info)) return 'listed';
  if (!isSingleValue(info)) return 'tables';
  return info.CellUsages[0] === 'Html' ? 'listed' : 'figures';
}

/** Maximum number of characters of a text displayed as a large figure, and of one displayed at medium size. */
const LARGE = 14;
const MEDIUM = 40;

/** Returns the size at which a text of this length is readable and fits into its column. */
export function figureSize(text: string): 'large' | 'medium' | 'small' {
  if (text.includes('\n')) return 'small';
  return text.length <= LARGE ? 'large' : text.length <= MEDIUM ? 'medium' : 'small';
}
