/** Finds lists whose items can change after the file was saved, because formulas or other inputs decide them. */
import type { ListArea } from '#server/executors/activity-definition.ts';
import type { Picker } from '#shared/contract/parameters.ts';
import { intersects } from './blocks.ts';
import type { Draft } from './parameters.ts';
import type { FoundArea } from './pickers.ts';

/** Marks the pickers whose lists are calculated, and returns the cells of these lists; null if there are none. */
export function listAreas(
  pickers: readonly Picker[],
  areas: readonly (FoundArea | null)[],
  inputs: readonly Draft[],
): (ListArea | null)[] | null {
  const usableAreas = areas.map((found, index) => {
    const isList = pickers[index]?.Type === 'List';
    return isList && found && (found.isCalculated || isFilledIn(found.area, inputs)) ? found.area : null;
  });
  for (const [index, area] of usableAreas.entries()) if (area) pickers[index]!.Calculated = true;
  return usableAreas.some((area) => area !== null) ? usableAreas : null;
}

/** Returns true if the list contains what users enter elsewhere on the same form. */
const isFilledIn = ({ sheet, block }: ListArea, inputs: readonly Draft[]): boolean =>
  inputs.some(({ area }) => area.sheet === sheet && intersects(area.block, block));
