/**
 * The region of a workbook: its author's choice, otherwise the one detected in the file, otherwise the region of the
 * previous version.
 */
import type { Book } from '../graph/book.ts';
import type { Store } from '../kernels/store.ts';
import type { RegionTraces, RegionWish, WorkbookRegion } from '../reader/workbook-model.ts';
import type { RegionalSettings } from '../values/region/region.ts';
import { isEastAsian, languageOf, regionalSettings, truthIn } from '../values/region/regions.ts';
import { detectLocale } from './detect-locale.ts';
import { languageOfTraces } from './traces.ts';

export interface ResolvedRegion {
  settings: RegionalSettings;
  region: WorkbookRegion;
}

/** `store` contains the saved values of all cells and is not modified. */
export function resolveRegion(book: Book, store: Store): ResolvedRegion {
  const { origin, regionWish } = book.model;
  const detected = detectLocale(book, store, origin?.traces);
  const detectedId = detected.source === null ? null : detected.settings.id;
  const wanted = regionWish && wantedRegion(regionWish, detectedId);
  if (wanted) {
    const { id, source } = wanted;
    // If the file's own region is wanted, use the detected settings, which contain more than the region's defaults.
    const settings = id === detected.settings.id ? detected.settings : settingsOf(id, origin?.traces);
    if (settings) return { settings, region: { id, source, told: detectedId } };
  }
  const { settings, source } = detected;
  return { settings, region: { id: settings.id, source: source ?? 'None', told: detectedId } };
}

function wantedRegion(
  { chosen, before }: RegionWish,
  detectedId: string | null,
): Pick<WorkbookRegion, 'id' | 'source'> | null {
  if (chosen !== undefined) return { id: chosen, source: 'Chosen' };
  if (!before || before.source === 'None') return null;
  // The author may have chosen a region other than the detected one. A new file with the same detected region must not
  // undo that choice.
  return detectedId === null || (isOfPeople(before) && detectedId === before.told)
    ? { id: before.id, source: 'Kept' }
    : null;
}

/** True if the region does not follow from the file; calculations must then receive it separately. */
export const isOfPeople = ({ source }: WorkbookRegion): boolean => source === 'Chosen' || source === 'Kept';

/** The words for TRUE and FALSE, and the counting of bytes, follow the language of Excel if the file shows it. */
function settingsOf(id: string, traces: RegionTraces | undefined): RegionalSettings | undefined {
  const settings = regionalSettings(id);
  const language = languageOfTraces(traces) ?? languageOf(id);
  return settings && { ...settings, truth: truthIn(language), countsBytes: isEastAsian(language) };
}
