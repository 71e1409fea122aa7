/**
 * Detects the regional settings of a workbook from its file. Traces of Excel's language and currency suggest likely
 * regions; the values saved for formulas confirm or refute them. See docs/decisions/0028-regions-and-typed-values.md.
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
  /** The evidence in the file; null if there is none, in which case the settings are those of the United States. */
  source: 'Formats' | 'Values' | null;
}

/** `store` contains the saved values of all cells and is not modified. */
export function detectLocale(book: Book, store: Store, traces: RegionTraces | undefined): DetectedLocale {
  const { likely, all, isEvident } = rankRegions(traces);
  const byTraces: DetectedLocale = { settings: likely, source: isEvident ? 'Formats' : null };
  const checks = findSavedValueChecks(book, store);
  if (checks.length === 0) return byTraces;
  const localeCheck = new LocaleCheck(book, store, checks);
  const explained = localeCheck.explained(checks, likely);
  const contradicted = checks.filter((check) => !explained.includes(check));
  const settings = contradicted.length === 0 ? likely : bestSupported(localeCheck, checks, contradicted, likely, all);
  if (settings.id !== likely.id) return { settings, source: 'Values' };
  if (!isEvident && OTHER_READINGS.every((other) => localeCheck.explained(explained, other).length < explained.length))
    return { settings, source: 'Values' };
  return { ...byTraces, settings };
}

/**
 * One region with day-first dates and one with a decimal comma. Saved values that neither of them gives show that the
 * region is the United States.
 */
const OTHER_READINGS = ['en-GB', 'de-DE'].map((id) => regionalSettings(id)!);

/** Returns the region that explains the most checks; the likeliest one if several explain the same number. */
function bestSupported(
  localeCheck: LocaleCheck,
  checks: readonly SavedValueCheck[],
  contradicted: readonly SavedValueCheck[],
  likely: RegionalSettings,
  all: readonly RegionalSettings[],
): RegionalSettings {
  let best = likely;
  let bestCount = checks.length - contradicted.length;
  for (const region of all) {
    if (region === likely || localeCheck.explained(contradicted, region).length === 0) continue;
    const count = localeCheck.explained(checks, region).length;
    if (count > bestCount) [best, bestCount] = [region, count];
  }
  if (bestCount === checks.length) return best;
  const inBytes = { ...best, countsBytes: !best.countsBytes };
  return localeCheck.explained(checks, inBytes).length > bestCount ? inBytes : best;
}
