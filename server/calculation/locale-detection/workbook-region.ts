/** The region of a workbook: what its author chose, else what the file tells, else that of the version before. */
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

/** `store` holds the saved values of all cells; it is not changed. */
export function resolveRegion(book: Book, store: Store): ResolvedRegion {
  const { origin, regionWish } = book.model;
  const detected = detectLocale(book, store, origin?.traces);
  const told = detected.source === null ? null : detected.settings.id;
  const wanted = regionWish && wantedRegion(regionWish, told);
  if (wanted) {
    const { id, source } = wanted;
    // what the file tells of its own region is more than the name of it
    const settings = id === detected.settings.id ? detected.settings : settingsOf(id, origin?.traces);
    if (settings) return { settings, region: { id, source, told } };
  }
  const { settings, source } = detected;
  return { settings, region: { id: settings.id, source: source ?? 'None', told } };
}

function wantedRegion(
  { chosen, before }: RegionWish,
  told: string | null,
): Pick<WorkbookRegion, 'id' | 'source'> | null {
  if (chosen !== undefined) return { id: chosen, source: 'Chosen' };
  if (!before || before.source === 'None') return null;
  // an author may have chosen another region than the file told: the next file that tells the same does not undo that
  return told === null || (isOfPeople(before) && told === before.told) ? { id: before.id, source: 'Kept' } : null;
}

/** Whether it does not follow from the file, so that calculations have to be told of it. */
export const isOfPeople = ({ source }: WorkbookRegion): boolean => source === 'Chosen' || source === 'Kept';

/** The words of TRUE and FALSE, and what counts as a character, follow the language of Excel where the file tells it. */
function settingsOf(id: string, traces: RegionTraces | undefined): RegionalSettings | undefined {
  const settings = regionalSettings(id);
  const language = languageOfTraces(traces) ?? languageOf(id);
  return settings && { ...settings, truth: truthIn(language), countsBytes: isEastAsian(language) };
}
