/** Ranks the regions a workbook may come from by its language and number formats. */
import type { RegionTraces } from '../reader/workbook-model.ts';
import { currencySymbol, ENGLISH_TRUTH, UNITED_STATES } from '../values/region/region.ts';
import type { RegionalSettings } from '../values/region/region.ts';
import { isEastAsian, languageOf, REGIONS, truthIn } from '../values/region/regions.ts';
import { languageOfHeading, languageOfStyle } from './language-names.ts';

/** The regions, likeliest first, each with the currency format and language that the workbook shows. */
export interface RankedRegions {
  likely: RegionalSettings;
  all: readonly RegionalSettings[];
  /**
   * True if the traces support the likeliest region; false if it is the United States because there is no other
   * evidence.
   */
  isEvident: boolean;
}

type Money = RegionalSettings['money'];

/** Currency formats shared by several regions are weaker evidence. */
const COMMON_MONEY = new Set(['$n -$n', '$ n -$ n', 'n € -n €', '€ n -€ n', '€n -€n', 'n kr -n kr', '¥n ¥-n']);

const Points = {
  language: 6,
  /** Added if the country matches too: 'pt-BR'. */
  country: 1,
  money: 7,
  commonMoney: 5,
  currency: 3,
  /** An English Excel slightly favours all English-speaking regions. */
  english: 1,
} as const;
/** Minimum number of points for a region other than the United States. */
const ENOUGH = 3;

const UNTOUCHED: RankedRegions = { likely: UNITED_STATES, all: REGIONS, isEvident: false };

/** Depends only on the file: equal traces give the same ranking everywhere. */
export function rankRegions(traces: RegionTraces | undefined): RankedRegions {
  if (!traces) return UNTOUCHED;
  const languages = languagesOf(traces);
  const money = moneyOf(traces.moneyFormats);
  if (!money && languages.every((language) => language === 'en')) return UNTOUCHED;
  const language = (languages[0] ?? 'en').slice(0, 2);
  const truth = truthIn(language);
  const countsBytes = isEastAsian(language);
  const ranked = REGIONS.map((region) => ({ region, points: pointsOf(region, languages, money) }));
  ranked.sort((a, b) => b.points - a.points);
  const all = ranked.map(({ region }): RegionalSettings => {
    if (region === UNITED_STATES && truth === ENGLISH_TRUTH && !countsBytes && isSameMoney(money, region))
      return region;
    return { ...region, truth, countsBytes, money: money ?? region.money };
  });
  const isElsewhere = ranked[0]!.points >= ENOUGH;
  const home = all[ranked.findIndex(({ region }) => region === UNITED_STATES)]!;
  return { likely: isElsewhere ? all[0]! : home, all, isEvident: isElsewhere };
}

/** Returns the language of the Excel that saved the workbook, such as 'de'; null if the traces do not show it. */
export function languageOfTraces(traces: RegionTraces | undefined): string | null {
  const [language] = traces ? languagesOf(traces) : [];
  return language?.slice(0, 2) ?? null;
}

const isSameMoney = (money: Money | null, region: RegionalSettings): boolean =>
  money === null || (money[0] === region.money[0] && money[1] === region.money[1]);

/**
 * Headings come from the program that saved the file last; style names persist even if programs other than Excel have
 * changed the file.
 */
function languagesOf({ headings, styleNames }: RegionTraces): string[] {
  const ofHeadings = headings.flatMap((heading) => languageOfHeading(heading) ?? []);
  const ofStyles = styleNames.flatMap(({ id, name }) => languageOfStyle(id, name) ?? []);
  const foreign = ofHeadings.filter((language) => language !== 'en');
  if (foreign.length === 0) return ofStyles.length > 0 ? [...new Set(ofStyles)] : [...new Set(ofHeadings)];
  const alike = ofStyles.filter((style) => foreign.some((heading) => heading.startsWith(style.slice(0, 2))));
  return [...new Set([...foreign, ...alike])];
}

function pointsOf(region: RegionalSettings, languages: readonly string[], money: Money | null): number {
  const points = Math.max(
    0,
    ...languages.flatMap((said) => said.split(',').map((tag) => languagePoints(region.id, tag))),
  );
  if (!money) return points;
  const plain = plainMoney(money);
  if (isSameMoney(plain, region))
    return points + (COMMON_MONEY.has(plain.join(' ')) ? Points.commonMoney : Points.money);
  return points + (currencySymbol(plain[0]) === currencySymbol(region.money[0]) ? Points.currency : 0);
}

/** `tag` is 'pt' or 'pt-BR'; the latter also supports other countries with the language, but less. */
function languagePoints(region: string, tag: string): number {
  if (tag === region) return Points.language + Points.country;
  if (tag.slice(0, 2) !== languageOf(region)) return 0;
  if (tag === 'en') return Points.english;
  return tag.length === 2 ? Points.language : Points.language - 1;
}

/** Chinese editions of Windows had a full-width yen sign. */
const plainMoney = ([amount, negative]: Money): Money => [amount.replace('￥', '¥'), negative.replace('￥', '¥')];

/** Returns the currency format of the region, from the first of Excel's built-in formats that shows it. */
function moneyOf(formats: RegionTraces['moneyFormats']): Money | null {
  for (const { code } of formats.toSorted((a, b) => a.id - b.id)) {
    const [amount, negative] = code.split(';').map(amountPattern);
    if (!amount || !negative || currencySymbol(amount) === '') continue;
    return [amount, negative];
  }
  return null;
}

/** Returns '£n' for '_-"£"* #,##0.00_-'; null if the format is not an amount. */
function amountPattern(section: string): string | null {
  const text = section
    .replace(/\[Red\]/i, '')
    .replace(/_./g, '')
    .replace(/\* /g, '')
    .replace(/\\(.)/g, '$1')
    .replaceAll('"', '')
    .replace(/#,##0(?:\.00)?/, 'n')
    .trim();
  if (!/^[^n]*n[^n]*$/.test(text) || /[#?0;[]/.test(text)) return null;
  // Accounting formats place the currency before the parenthesis.
  const inside = /^([^(]+)\(n\)$/.exec(text);
  return inside ? `(${inside[1]}n)` : text;
}
