/**
 * The regional settings a workbook is calculated with, as its file tells them: its traces of Excel's language and currency say
 * what is likely, and its formulas, by the values saved for them, whether that is so. See docs/decisions/0028-regions-and-typed-values.md.
 */
import type { Book } from '../graph/book.ts';
import type { Store } from '../kernels/store.ts';
import type { RegionTraces } from '../reader/workbook-model.ts';
import type { RegionalSettings } from '../values/region/region.ts';
import { regionalSettings } from '../values/region/regions.ts';
import { rankRegions } from './traces.ts';
import { findSavedValueChecks, LocaleCheck } from './saved-value-checks.ts';
import type { SavedValueCheck } from './saved-value-checks.ts';

export interface DetectedLocale {
  settings: RegionalSettings;
  /** What in the file tells them; null where nothing does, and they are those of the United States. */
  source: 'Formats' | 'Values' | null;
}

/** `store` holds the saved values of all cells; it is not changed. */
export function detectLocale(book: Book, store: Store, traces: RegionTraces | undefined): DetectedLocale {
  const { likely, all, isTold } = rankRegions(traces);
  const byTraces: DetectedLocale = { settings: likely, source: isTold ? 'Formats' : null };
  const checks = findSavedValueChecks(book, store);
  if (checks.length === 0) return byTraces;
  const localeCheck = new LocaleCheck(book, store, checks);
  const explained = localeCheck.explained(checks, likely);
  const contradicted = checks.filter((check) => !explained.includes(check));
  const settings = contradicted.length === 0 ? likely : bestSupported(localeCheck, checks, contradicted, likely, all);
  if (settings.id !== likely.id) return { settings, source: 'Values' };
  if (!isTold && OTHER_READINGS.every((other) => localeCheck.explained(explained, other).length < explained.length))
    return { settings, source: 'Values' };
  return { ...byTraces, settings };
}

/** One region with the day first and one with a decimal comma: saved values that neither explains tell the United States. */
const OTHER_READINGS = ['en-GB', 'de-DE'].map((id) => regionalSettings(id)!);

/** The region that explains most; of those that explain as much, the likeliest. */
function bestSupported(
  localeCheck: LocaleCheck,
  checks: readonly SavedValueCheck[],
  contradicted: readonly SavedValueCheck[],
  likely: RegionalSettings,
  all: readonly RegionalSettings[],
): RegionalSettings {
  let best = likely;
  let most = checks.length - contradicted.length;
  for (const region of all) {
    if (region === likely || localeCheck.explained(contradicted, region).length === 0) continue;
    const count = localeCheck.explained(checks, region).length;
    if (count > most) [best, most] = [region, count];
  }
  if (most === checks.length) return best;
  const inBytes = { ...best, countsBytes: !best.countsBytes };
  return localeCheck.explained(checks, inBytes).length > most ? inBytes : best;
}
