/** How the columns of a marked table are read: the kind of each column, and whether the first row is headings. */
import type { Mark } from '#shared/contract/designs.ts';
import type { CellUsage, InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { CELL_USAGES, type HeaderSource } from '#shared/rules/parameter-kinds.ts';
import { blockOf, withOption } from './marks.ts';

/**
 * Returns the kinds of the columns. What the author has written counts before what the server found, because the server
 * answers later.
 */
export function kindsOf({ Options }: Mark, { CellUsages }: Pick<InputInfo | OutputInfo, 'CellUsages'>): CellUsage[] {
  const written = (Options.CellUsages ?? '').split(',').map((part) => usageNamed(part.trim()));
  if (!written.every((usage) => usage !== undefined)) return CellUsages;
  const [only] = written;
  if (written.length === 1 && only) return CellUsages.map(() => only);
  return written.length === CellUsages.length ? written : CellUsages;
}

const usageNamed = (text: string): CellUsage | undefined =>
  CELL_USAGES.find((usage) => usage.toLowerCase() === text.toLowerCase());

/** Changes the kind of a column, and keeps those of the others. */
export const withKind = (
  mark: Mark,
  info: Pick<InputInfo | OutputInfo, 'CellUsages'>,
  col: number,
  kind: string,
): Mark =>
  withOption(
    mark,
    'CellUsages',
    kindsOf(mark, info)
      .map((one, at) => (at === col ? kind : one))
      .join(','),
  );

/** Returns whether the first row of a table is headings; null if the author cannot choose it. */
export function firstRowIsHeadings(
  mark: Mark,
  { RangeType }: Pick<InputInfo | OutputInfo, 'RangeType'>,
  headers: HeaderSource | undefined,
): boolean | null {
  const { top, bottom } = blockOf(mark);
  // An Excel table always has its own headings.
  const isFixed = headers === undefined || headers === 'table' || mark.Table !== undefined;
  if (RangeType !== 'RangeWithColumnHeaders' || isFixed || top === bottom) return null;
  const written = mark.Options.Headers;
  return written === undefined ? headers === 'inside' : /^(?:true|yes|1)$/i.test(written);
}
