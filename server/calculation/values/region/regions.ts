/**
 * The regions a workbook may come from, as in Windows. Source: Microsoft, 'National Language Support (NLS) API
 * Reference'; Unicode CLDR where both agree; the codes of TEXT and the words for TRUE as in Excel's translations.
 */
import type { DayOrder, FormatLetters, RegionalSettings } from './region.ts';
import { ENGLISH_LETTERS, ENGLISH_TRUTH, UNITED_STATES } from './region.ts';

/** No-break space, and the narrow one that newer Windows editions use in French. */
const SPACE = '\u00a0';
const NARROW = '\u202f';

const ORDERS: Record<string, DayOrder> = { m: 'mdy', d: 'dmy', y: 'ymd' };

type Row = [decimal: string, group: string, days: string, money: string, negative: string];

/**
 * More likely regions come first, which decides if traces and values do not. `days` is the first part of a date and the
 * separator of its parts. The list separator is ';' in regions with a decimal comma.
 */
const ROWS: Record<string, Row> = {
  'en-GB': ['.', ',', 'd/', '£n', '-£n'],
  'en-IN': ['.', ',', 'd-', '₹ n', '₹ -n'],
  'en-AU': ['.', ',', 'd/', '$n', '-$n'],
  'en-CA': ['.', ',', 'y-', '$n', '-$n'],
  'en-IE': ['.', ',', 'd/', '€n', '-€n'],
  'en-SG': ['.', ',', 'd/', '$n', '-$n'],
  'en-NG': ['.', ',', 'd/', '₦n', '-₦n'],
  'en-PH': ['.', ',', 'd/', '₱n', '-₱n'],
  'en-MY': ['.', ',', 'd/', 'RMn', '-RMn'],
  'de-DE': [',', '.', 'd.', 'n €', '-n €'],
  'fr-FR': [',', NARROW, 'd/', 'n €', '-n €'],
  'es-ES': [',', '.', 'd/', 'n €', '-n €'],
  'pt-BR': [',', '.', 'd/', 'R$ n', '-R$ n'],
  'it-IT': [',', '.', 'd/', 'n €', '-n €'],
  'nl-NL': [',', '.', 'd-', '€ n', '€ -n'],
  'pl-PL': [',', SPACE, 'd.', 'n zł', '-n zł'],
  'ru-RU': [',', SPACE, 'd.', 'n ₽', '-n ₽'],
  'sv-SE': [',', SPACE, 'y-', 'n kr', '-n kr'],
  'da-DK': [',', '.', 'd-', 'n kr.', '-n kr.'],
  'nb-NO': [',', SPACE, 'd.', 'kr n', '-kr n'],
  'fi-FI': [',', SPACE, 'd.', 'n €', '-n €'],
  'cs-CZ': [',', SPACE, 'd.', 'n Kč', '-n Kč'],
  'hu-HU': [',', SPACE, 'y.', 'n Ft', '-n Ft'],
  'tr-TR': [',', '.', 'd.', '₺n', '-₺n'],
  'zh-CN': ['.', ',', 'y/', '¥n', '¥-n'],
  'zh-TW': ['.', ',', 'y/', 'NT$n', '-NT$n'],
  'zh-HK': ['.', ',', 'd/', 'HK$n', '-HK$n'],
  'ja-JP': ['.', ',', 'y/', '¥n', '¥-n'],
  'ko-KR': ['.', ',', 'y-', '₩n', '-₩n'],
  'uk-UA': [',', SPACE, 'd.', 'n ₴', '-n ₴'],
  'sk-SK': [',', SPACE, 'd.', 'n €', '-n €'],
  'ro-RO': [',', '.', 'd.', 'n RON', '-n RON'],
  'bg-BG': [',', SPACE, 'd.', 'n лв.', '-n лв.'],
  'hr-HR': [',', '.', 'd.', 'n €', '-n €'],
  'sl-SI': [',', '.', 'd.', 'n €', '-n €'],
  'et-EE': [',', SPACE, 'd.', 'n €', '-n €'],
  'lv-LV': [',', SPACE, 'd.', 'n €', '-n €'],
  'lt-LT': [',', SPACE, 'y-', 'n €', '-n €'],
  'el-GR': [',', '.', 'd/', 'n €', '-n €'],
  'he-IL': ['.', ',', 'd/', '₪ n', '₪-n'],
  'id-ID': [',', '.', 'd/', 'Rpn', '-Rpn'],
  'vi-VN': [',', '.', 'd/', 'n ₫', '-n ₫'],
  'es-MX': ['.', ',', 'd/', '$n', '-$n'],
  'es-AR': [',', '.', 'd/', '$ n', '-$ n'],
  'es-CO': [',', '.', 'd/', '$ n', '-$ n'],
  'es-CL': [',', '.', 'd-', '$n', '$-n'],
  'es-PE': ['.', ',', 'd/', 'S/n', '-S/n'],
  'pt-PT': [',', SPACE, 'd/', 'n €', '-n €'],
  'fr-CA': [',', SPACE, 'y-', 'n $', '-n $'],
  'de-AT': [',', SPACE, 'd.', '€ n', '-€ n'],
  'de-CH': ['.', '’', 'd.', 'CHF n', 'CHF-n'],
  'nl-BE': [',', '.', 'd/', '€ n', '€ -n'],
  'en-ZA': [',', SPACE, 'y/', 'Rn', '-Rn'],
};

/** Regions that an author can choose. They are never detected, because their formats are those of a similar region. */
const CHOSEN_ROWS: Record<string, Row> = {
  'en-NZ': ['.', ',', 'd/', '$n', '-$n'],
  'fr-BE': [',', NARROW, 'd-', 'n €', '-n €'],
  'fr-CH': [',', NARROW, 'd.', 'n CHF', '-n CHF'],
  'it-CH': ['.', '’', 'd.', 'CHF n', 'CHF-n'],
};

/** Year, month, day, hour, minute and second, and the word for 'General'. */
const LETTERS: Record<string, [letters: string, general: string]> = {
  de: ['jmthms', 'Standard'],
  fr: ['amjhms', 'Standard'],
  es: ['amdhms', 'Estándar'],
  pt: ['amdhms', 'Geral'],
  it: ['amghms', 'Standard'],
  nl: ['jmdums', 'Standaard'],
  pl: ['rmdgms', 'Standardowy'],
  ru: ['гмдчмс', 'Основной'],
  sv: ['åmdtms', 'Standard'],
  nb: ['åmdtms', 'Standard'],
  da: ['åmdtms', 'Standard'],
  fi: ['vkptms', 'Yleinen'],
  cs: ['rmdhms', 'Všeobecný'],
  sk: ['rmdhms', 'Všeobecný'],
  hu: ['éhnópm', 'Normál'],
  tr: ['yagsdn', 'Genel'],
  el: ['εμηωλδ', 'Γενικός τύπος'],
  zh: ['ymdhms', 'G/通用格式'],
  ja: ['ymdhms', 'G/標準'],
  ko: ['ymdhms', 'G/표준'],
};

const TRUTH: Record<string, [string, string]> = {
  de: ['WAHR', 'FALSCH'],
  fr: ['VRAI', 'FAUX'],
  es: ['VERDADERO', 'FALSO'],
  pt: ['VERDADEIRO', 'FALSO'],
  it: ['VERO', 'FALSO'],
  nl: ['WAAR', 'ONWAAR'],
  pl: ['PRAWDA', 'FAŁSZ'],
  ru: ['ИСТИНА', 'ЛОЖЬ'],
  sv: ['SANT', 'FALSKT'],
  nb: ['SANN', 'USANN'],
  da: ['SAND', 'FALSK'],
  fi: ['TOSI', 'EPÄTOSI'],
  cs: ['PRAVDA', 'NEPRAVDA'],
  hu: ['IGAZ', 'HAMIS'],
  tr: ['DOĞRU', 'YANLIŞ'],
};

/** `language` is a language code such as 'ja'. */
export const isEastAsian = (language: string): boolean => ['zh', 'ja', 'ko'].includes(language);

export const languageOf = (region: string): string => region.slice(0, region.indexOf('-'));

/** Alternative settings that machines of a region are known to have as well; the saved values of a workbook decide. */
const VARIANTS: Record<string, Partial<RegionalSettings>> = {
  'en-IN': { groupsInTwos: false },
  // Chinese editions of Windows and of Excel do not agree on whether September is 'Sep' or '9月'.
  'zh-CN': { hasOwnNames: true },
  'zh-TW': { hasOwnNames: true },
};

/** All regions, starting with the United States; regions with the same `id` are adjacent. */
export const REGIONS: readonly RegionalSettings[] = [
  UNITED_STATES,
  ...Object.entries(ROWS).flatMap(([id, row]) => {
    const region = regionFrom(id, row);
    return VARIANTS[id] ? [region, { ...region, ...VARIANTS[id] }] : [region];
  }),
];

/**
 * Returns the settings of a region by its BCP 47 tag, including regions that only an author can choose; undefined if
 * unknown.
 */
export function regionalSettings(id: string): RegionalSettings | undefined {
  const row = CHOSEN_ROWS[id];
  return REGIONS.find((region) => region.id === id) ?? (row && regionFrom(id, row));
}

function regionFrom(id: string, [decimal, group, days, money, negative]: Row): RegionalSettings {
  const language = languageOf(id);
  return {
    id,
    decimal,
    group,
    groupsInTwos: id === 'en-IN',
    dayOrder: ORDERS[days[0]!]!,
    dateSeparator: days[1]!,
    list: decimal === ',' || id.endsWith('-CH') ? ';' : ',',
    money: [money, negative],
    truth: ENGLISH_TRUTH,
    letters: lettersOf(language),
    isEastAsian: isEastAsian(language),
    hasOwnNames: !isEastAsian(language),
    countsBytes: false,
  };
}

function lettersOf(language: string): FormatLetters {
  const found = LETTERS[language];
  if (!found) return ENGLISH_LETTERS;
  const [year, month, day, hour, minute, second] = found[0] as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return { year, month, day, hour, minute, second, general: found[1] };
}

/** Returns the words for TRUE and FALSE in an Excel of this language ('de'). */
export const truthIn = (language: string): RegionalSettings['truth'] => TRUTH[language] ?? ENGLISH_TRUTH;
