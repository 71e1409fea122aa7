/** What the language and the formats of a workbook say of the region it comes from. */
import type { RegionTraces } from '../reader/workbook-model.ts';
import { currencySymbol, ENGLISH_TRUTH, UNITED_STATES } from '../values/region/region.ts';
import type { RegionalSettings } from '../values/region/region.ts';
import { isEastAsian, languageOf, REGIONS, truthIn } from '../values/region/regions.ts';
import { languageOfHeading, languageOfStyle } from './language-names.ts';

/** Regions by likelihood, the likeliest first, and with it what they all have of the workbook. */
export interface RankedRegions {
  likely: RegionalSettings;
  all: readonly RegionalSettings[];
  /** Whether the traces speak for the likeliest; else it is that of the United States because nothing says otherwise. */
  isTold: boolean;
}

type Money = RegionalSettings['money'];

/** Money of several regions says less than that of one. */
const COMMON_MONEY = new Set(['$n -$n', '$ n -$ n', 'n € -n €', '€ n -€ n', '€n -€n', 'n kr -n kr', '¥n ¥-n']);

const Points = {
  language: 6,
  /** Also the country: 'pt-BR'. */
  country: 1,
  money: 7,
  commonMoney: 5,
  currency: 3,
  /** Of an Excel in English, any English region before all others. */
  english: 1,
} as const;
/** From here on the workbook is taken to come from elsewhere than the United States. */
const ENOUGH = 3;

const UNTOUCHED: RankedRegions = { likely: UNITED_STATES, all: REGIONS, isTold: false };

/** Nothing but the file decides: equal traces rank equally everywhere. */
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
  return { likely: isElsewhere ? all[0]! : home, all, isTold: isElsewhere };
}

/** 'de': the language of the Excel that saved the workbook; null where the traces do not tell it. */
export function languageOfTraces(traces: RegionTraces | undefined): string | null {
  const [language] = traces ? languagesOf(traces) : [];
  return language?.slice(0, 2) ?? null;
}

const isSameMoney = (money: Money | null, region: RegionalSettings): boolean =>
  money === null || (money[0] === region.money[0] && money[1] === region.money[1]);

/** Headings are written by whoever saves; names of styles stay in files that programs other than Excel have changed. */
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

/** `tag` is 'pt' or 'pt-BR'; the latter speaks for other countries of the language, too, but less. */
function languagePoints(region: string, tag: string): number {
  if (tag === region) return Points.language + Points.country;
  if (tag.slice(0, 2) !== languageOf(region)) return 0;
  if (tag === 'en') return Points.english;
  return tag.length === 2 ? Points.language : Points.language - 1;
}

/** Chinese editions of Windows had a yen sign of full width. */
const plainMoney = ([amount, negative]: Money): Money => [amount.replace('￥', '¥'), negative.replace('￥', '¥')];

/** How the region writes money, by the first of Excel's own formats that says so. */
function moneyOf(formats: RegionTraces['moneyFormats']): Money | null {
  for (const { code } of formats.toSorted((a, b) => a.id - b.id)) {
    const [amount, negative] = code.split(';').map(amountPattern);
    if (!amount || !negative || currencySymbol(amount) === '') continue;
    return [amount, negative];
  }
  return null;
}

/** '£n' of '_-"£"* #,##0.00_-'; null where it is no amount. */
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
  // accounting formats put the currency before the parenthesis
  const inside = /^([^(]+)\(n\)$/.exec(text);
  return inside ? `(${inside[1]}n)` : text;
}
