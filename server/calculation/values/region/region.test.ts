import { describe, expect, it } from 'vitest';
import { evaluate } from '#server/calculation/testing/evaluate.ts';
import type { RegionTraces } from '#server/calculation/reader/workbook-model.ts';

const traces = (heading: string, code?: string): { origin: { traces: RegionTraces } } => ({
  origin: {
    traces: { headings: [heading], styleNames: [], moneyFormats: code === undefined ? [] : [{ id: 8, code }] },
  },
});

const GERMAN = traces('Arbeitsblätter');
const FRENCH = traces('Feuilles de calcul');
const POLISH = traces('Arkusze');
const RUSSIAN = traces('Листы');
const SPANISH = traces('Hojas de cálculo');
const TURKISH = traces('Çalışma Sayfaları');
const HUNGARIAN = traces('Munkalapok');
const SWEDISH = traces('Kalkylblad');
const CHINESE = traces('工作表');
const JAPANESE = traces('ワークシート');
const BRITISH = traces('Worksheets', '"£"#,##0.00;[Red]\\-"£"#,##0.00');
const INDIAN = traces('Worksheets', '"₹"\\ #,##0.00;[Red]"₹"\\ \\-#,##0.00');

/** 2015-03-05 at half past two in the afternoon. */
const CELLS = { A1: 42_068.604_166_666_7, A2: 1234.5, A3: true };

describe('numbers and days as texts', () => {
  it.each([
    [GERMAN, '=TEXT(A1,"TTTT, TT. MMMM JJJJ hh:mm")', 'Donnerstag, 05. März 2015 14:30'],
    [GERMAN, '=TEXT(A1,"MMM JJ")', 'Mrz 15'],
    [GERMAN, '=TEXT(A1,"yyyy")', 'yyyy'],
    [GERMAN, '=TEXT(A1,"hh:mm:ss,0")', '14:30:00,0'],
    [GERMAN, '=TEXT(A1,"[hh]")', '1009646'],
    [GERMAN, '=TEXT(A2,"#.##0,00 ""Stück"";[Rot]-0")', '1.234,50 Stück'],
    [GERMAN, '=TEXT(A2,"Standard")', '1234,5'],
    [GERMAN, '=TEXT(67.1,"00.00")', '0.067'],
    [GERMAN, '=TEXT(0.256,"0,0%")', '25,6%'],
    [GERMAN, '=TEXT(A1,"[$-409]MMMM")', 'March'],
    [GERMAN, '=A2&""', '1234,5'],
    [GERMAN, '=A3&""', 'WAHR'],
    [GERMAN, '=FIXED(A2)', '1.234,50'],
    [GERMAN, '=DOLLAR(-A2)', '-1.234,50 €'],
    [GERMAN, '=USDOLLAR(A2)', '$1.234,50'],
    [GERMAN, '=COMPLEX(1.5,2)', '1,5+2i'],
    [GERMAN, '=IMREAL("1,5+2i")', 1.5],
    [GERMAN, '=TEXTJOIN(";",TRUE,A2,0.5)', '1234,5;0,5'],
    [FRENCH, '=TEXT(A1,"jjjj j mmmm aaaa")', 'jeudi 5 mars 2015'],
    [FRENCH, '=TEXT(A2,"# ##0,00")', '1 234,50'],
    [FRENCH, '=FIXED(A2,1)', '1\u202f234,5'],
    [POLISH, '=TEXT(A1,"mmmm rrrr")', 'marzec 2015'],
    [POLISH, '=DOLLAR(A2,1)', '1\u00a0234,5 zł'],
    [RUSSIAN, '=TEXT(A1,"ДД.ММ.ГГГГ")', '05.03.2015'],
    [RUSSIAN, '=TEXT(227582,"0 \\ К")', '228 К'],
    [RUSSIAN, '=TEXT(1234567.8,"# ##0,0 ")', '1 234,6'],
    [RUSSIAN, '=TEXT(1234,"0\\ К")', '1234 К'],
    [GERMAN, '=TEXT(1234,"0 ""K""")', '1234 K'],
    [RUSSIAN, '=TEXT(A1,"ММММ")', 'Март'],
    [RUSSIAN, '=TEXT(A1,"[$-409]ДДДД")', 'Thursday'],
    [SPANISH, '=TEXT(A1,"dd-mmm-aa")', '05-mar-15'],
    [TURKISH, '=TEXT(A1,"gg.aa.yyyy ss:dd")', '05.03.2015 14:30'],
    [HUNGARIAN, '=TEXT(A1,"éééé.hh.nn óó:pp")', '2015.03.05 14:30'],
    [SWEDISH, '=TEXT(A1,"åååå-MM-DD tt:mm")', '2015-03-05 14:30'],
    [CHINESE, '=TEXT(A1,"yyyy年m月d日 aaaa dddd mmm")', '2015年3月5日 星期四 Thursday Mar'],
    [CHINESE, '=DOLLAR(-2)', '¥-2.00'],
    [JAPANESE, '=TEXT(A1,"m/d(aaa)")', '3/5(木)'],
    [BRITISH, '=DOLLAR(-A2)', '-£1,234.50'],
    [INDIAN, '=DOLLAR(-A2)', '₹ -1,234.50'],
    [INDIAN, '=TEXT(122222203.33,"$##,###.00")', '$12,22,22,203.33'],
    [INDIAN, '=TEXT(-1234567,"#,##0")', '-12,34,567'],
    [INDIAN, '=TEXT(12345,"0,000 \\k\\m")', '12,345 km'],
    [INDIAN, '=TEXT(1234567,"0-00,00-000")', '0,-12,34,-567'],
    [INDIAN, '=FIXED(123456.7,1)', '1,23,456.7'],
    [BRITISH, '=FIXED(1234567.8,1)', '1,234,567.8'],
    [GERMAN, '=ARRAYTOTEXT({1.5,"a";2,TRUE},1)', '{1,5\\"a";2\\WAHR}'],
    [BRITISH, '=ARRAYTOTEXT({1.5,"a";2,TRUE},1)', '{1.5,"a";2,TRUE}'],
    [traces('Arbeitsblätter', '"€"\\ #,##0.00;[Red]\\-"€"\\ #,##0.00'), '=TEXT(42005,"MMMM, MMM")', 'Jänner, Jän'],
  ])('%j: %s is %s', (region, formula, result) => {
    expect(evaluate(formula, CELLS, region)).toBe(result);
  });
});

describe('texts as numbers and days', () => {
  it.each([
    [GERMAN, '="4,3"+1', 5.3],
    [GERMAN, '=VALUE("1.234,5")', 1234.5],
    [GERMAN, '=VALUE("1.234.567")', 1_234_567],
    [GERMAN, '=VALUE("12,5 €")', 12.5],
    [GERMAN, '=VALUE("1,234.5")', '#VALUE!'],
    [GERMAN, '="48,34%"*1', 0.4834],
    [GERMAN, '=DATEVALUE("25.10.2015")', 42_302],
    [GERMAN, '=DATEVALUE("3. Oktober 2015")', 42_280],
    [GERMAN, '=DATEVALUE("9.2022")', 44_805],
    [RUSSIAN, '=DATEVALUE("09.2022")', 44_805],
    [RUSSIAN, '=COUNTIF(B4,"09.2022")', 1],
    [GERMAN, '=DATEVALUE("25-Okt-2015")', 42_302],
    [GERMAN, '=DATEVALUE("25-Oct-2015")', '#VALUE!'],
    [GERMAN, '=DATEVALUE("2015-10-25")', 42_302],
    [GERMAN, '=NUMBERVALUE("1.234,5")', 1234.5],
    [GERMAN, '=NUMBERVALUE("1.234,5",".",",")', '#VALUE!'],
    [GERMAN, '=IF("wahr",1,2)', 1],
    [GERMAN, '=COUNTIF(B1:B3,">=1,5")', 2],
    [FRENCH, '="1 234,5"+0', 1234.5],
    [FRENCH, '="1\u202f234,5"+0', 1234.5],
    [FRENCH, '="1 1/2"+0', 1.5],
    [FRENCH, '=VALUE("1.5")', '#VALUE!'],
    [FRENCH, '=DATEVALUE("1 févr. 2015")', 42_036],
    [POLISH, '=DATEVALUE("25 października 2015")', 42_302],
    [POLISH, '=VALUE("12,5 zł")', 12.5],
    [SPANISH, '=DATEVALUE("25 de octubre de 2015")', 42_302],
    [HUNGARIAN, '=DATEVALUE("2015. 10. 25.")', 42_302],
    [CHINESE, '=DATEVALUE("2015年10月25日")', 42_302],
    [CHINESE, '=DATEVALUE("15/10/25")', 42_302],
    [CHINESE, '=DATEVALUE("10/25/2015")', 42_302],
    [BRITISH, '=DATEVALUE("25/10/2015")', 42_302],
    [BRITISH, '=DATEVALUE("10/25/2015")', '#VALUE!'],
    [BRITISH, '=VALUE("£1,234.50")', 1234.5],
    [BRITISH, '=VALUE("$1")', '#VALUE!'],
    [POLISH, '=VALUE("$1")', '#VALUE!'],
    [BRITISH, '=DATEVALUE("May-25")', 45_778],
    [BRITISH, '=DAY("May-5")', 5],
    [BRITISH, '=MONTH("25-May")', 5],
    [CHINESE, '=DAY("May-25")', 25],
    [SWEDISH, '=DATEVALUE("2003-04-01")', 37_712],
    [SWEDISH, '=DATEVALUE("03/4/1")', 37_712],
    [SWEDISH, '=DATEVALUE("1/4/2003")', '#VALUE!'],
    [SWEDISH, '=YEAR("4/2003")', 2003],
    [INDIAN, '=NETWORKDAYS("1-1-2023","1-2-2023")', 23],
    [INDIAN, '=DATEVALUE("2023-02-01")', 44_958],
    [INDIAN, '=VALUE("(₹ 1,234.50)")', -1234.5],
    [INDIAN, '=DATEVALUE("1-Feb-2023")', 44_958],
    [INDIAN, '=YEAR("3/2030")', 2030],
  ])('%j: %s is %s', (region, formula, result) => {
    expect(evaluate(formula, { B1: 1, B2: 1.5, B3: 2, B4: 44_805 }, region)).toBe(result);
  });
});

describe('formulas as texts', () => {
  it.each([
    [GERMAN, '=FORMULATEXT(B1)', '=IF(A1>1,5;{1\\2;3\\4};"1,5")'],
    [BRITISH, '=FORMULATEXT(B1)', '=IF(A1>1.5,{1,2;3,4},"1,5")'],
  ])('%j: %s is %s', (region, formula, result) => {
    expect(evaluate(formula, { B1: '=IF(A1>1.5,{1,2;3,4},"1,5")' }, region)).toBe(result);
  });
});

describe('functions that count bytes', () => {
  it.each([
    ['=LENB("A測是")', 5],
    ['=LEFTB("床前明月光",3)', '床 '],
    ['=LEFTB("A床前",3)', 'A床'],
    ['=RIGHTB("床前明月光",3)', ' 光'],
    ['=MIDB("床前明月光",3,4)', '前明'],
    ['=FINDB("是","A測是")', 4],
    ['=SEARCHB("是","A測是",3)', 4],
    ['=REPLACEB("A測是字串",4,2,"明月光")', 'A測明月光字串'],
    ['=REPLACEB("A測是字串",4,1,"明月光")', 'A測明月光 字串'],
    ['=REPLACEB("A測是字串",3,0,"明月光")', 'A 明月光'],
    ['=DBCS("EXCEL ｶﾞ")', 'ＥＸＣＥＬ　ガ'],
  ])('%s is %s in Chinese', (formula, result) => {
    expect(evaluate(formula, {}, CHINESE)).toBe(result);
  });

  it('count characters in English', () => {
    expect(evaluate('=LEFTB("床前明月光",3)')).toBe('床前明');
  });
});
