/** Finds cells to which the author of a workbook gave a defined name. */
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { formatBlock } from '#shared/codecs/cell-address.ts';
import { parseReference, ReferenceAreas } from '../charts/reference-areas.ts';

export interface NamedBlock extends SheetBlock {
  name: string;
}

/** Maximum number of names read. */
const MAX_NAMES = 2_000;

/** Returns the visible names that refer to a single block. */
export function namedBlocks(model: WorkbookModel): NamedBlock[] {
  const areas = new ReferenceAreas(model, []);
  return model.names.slice(0, MAX_NAMES).flatMap(({ name, text, hidden }) => {
    if (hidden || name.startsWith('_')) return [];
    const tree = parseReference(text.replace(/^=/, ''));
    const blocks = (tree && areas.of(tree)) ?? [];
    return blocks.length === 1 ? [{ name, ...blocks[0]! }] : [];
  });
}

export const blockKey = ({ sheet, block }: SheetBlock): string => `${sheet} ${formatBlock(block)}`;
