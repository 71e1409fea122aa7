/**
 * Names of worksheets and built-in styles in Excel's languages, limited to names used by only one language (or region).
 * Source: workbooks saved by Excel, and Excel's translations.
 */

/** From docProps/app.xml. 'da,nb' means one of several languages. */
const HEADINGS: Readonly<Record<string, string>> = {
  worksheets: 'en',
  arbeitsblätter: 'de',
  'feuilles de calcul': 'fr',
  'hojas de cálculo': 'es',
  planilhas: 'pt-BR',
  'folhas de cálculo': 'pt-PT',
  'fogli di lavoro': 'it',
  werkbladen: 'nl',
  arkusze: 'pl',
  листы: 'ru',
  аркуші: 'uk',
  kalkylblad: 'sv',
  regneark: 'nb,da',
  laskentataulukot: 'fi',
  listy: 'cs',
  hárky: 'sk',
  munkalapok: 'hu',
  'foi de lucru': 'ro',
  'работни листове': 'bg',
  'radni listovi': 'hr',
  'delovni listi': 'sl',
  töölehed: 'et',
  darblapas: 'lv',
  darbalapiai: 'lt',
  'φύλλα εργασίας': 'el',
  'çalışma sayfaları': 'tr',
  'גליונות עבודה': 'he',
  'lembar kerja': 'id',
  'trang tính': 'vi',
  工作表: 'zh',
  命名范围: 'zh-CN',
  具名範圍: 'zh-TW',
  ワークシート: 'ja',
  워크시트: 'ko',
};

/** By style number (ECMA-376 part 1, 18.8.7): Normal, Comma, Currency, Percent, Hyperlink. */
const STYLES: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  0: {
    standard: 'de',
    обычный: 'ru',
    標準: 'ja',
    常规: 'zh-CN',
    一般: 'zh-TW',
    표준: 'ko',
    normalny: 'pl',
    normale: 'it',
    standaard: 'nl',
    normál: 'hu',
    normaali: 'fi',
    normální: 'cs',
    navadno: 'sl',
  },
  3: {
    millares: 'es',
    vírgula: 'pt',
    milliers: 'fr',
    migliaia: 'it',
    dziesiętny: 'pl',
    tusental: 'sv',
    финансовый: 'ru',
  },
  4: { moneda: 'es', moeda: 'pt', monétaire: 'fr', währung: 'de', walutowy: 'pl', денежный: 'ru' },
  5: {
    'per cent': 'en-GB',
    porcentaje: 'es',
    porcentagem: 'pt-BR',
    percentagem: 'pt-PT',
    pourcentage: 'fr',
    prozent: 'de',
    percentuale: 'it',
    procentowy: 'pl',
    процентный: 'ru',
    prosent: 'nb',
  },
  8: {
    hipervínculo: 'es',
    hiperlink: 'pt',
    'lien hypertexte': 'fr',
    'collegamento ipertestuale': 'it',
    hiperłącze: 'pl',
    гиперссылка: 'ru',
    hyperlänk: 'sv',
    köprü: 'tr',
    超链接: 'zh-CN',
    超連結: 'zh-TW',
    ハイパーリンク: 'ja',
  },
};

/** Returns 'de', 'pt-BR' or several languages as 'nb,da'; undefined if the word gives no evidence. */
export const languageOfHeading = (text: string): string | undefined => languageIn(HEADINGS, text);
export const languageOfStyle = (id: number, name: string): string | undefined => languageIn(STYLES[id] ?? {}, name);

/** The text is from a file: it may be the name of a property that every object has, such as 'constructor'. */
function languageIn(words: Readonly<Record<string, string>>, text: string): string | undefined {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(words, word) ? words[word] : undefined;
}
