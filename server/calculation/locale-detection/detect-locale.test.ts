import { describe, expect, it } from 'vitest';
import type { RegionTraces } from '../reader/workbook-model.ts';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from '../testing/build-model.ts';
import type { TestCell } from '../testing/build-model.ts';

const NONE: RegionTraces = { headings: [], styleNames: [], moneyFormats: [] };

function regionOf(traces: Partial<RegionTraces>, cells: Record<string, TestCell> = {}): string | undefined {
  const model = buildModel({ sheets: { Sheet1: cells }, origin: { traces: { ...NONE, ...traces } } });
  return createRunsheetEngine().load(model).region;
}

const money = (code: string, id = 8): Partial<RegionTraces> => ({ moneyFormats: [{ id, code }] });
const style = (id: number, name: string): Partial<RegionTraces> => ({ styleNames: [{ id, name }] });
const check = (formula: string, saved: TestCell & (string | number)): TestCell => ({ formula, saved });

describe('the region of a workbook', () => {
  it.each([
    ['no traces', {}, 'en-US'],
    ['English headings', { headings: ['Worksheets', 'Named Ranges'] }, 'en-US'],
    ['German headings', { headings: ['Arbeitsblätter', 2, 'Benannte Bereiche'].map(String) }, 'de-DE'],
    ['Polish headings', { headings: ['Arkusze'] }, 'pl-PL'],
    ['Chinese headings', { headings: ['工作表'] }, 'zh-CN'],
    ['Chinese headings, style of Taiwan', { headings: ['工作表'], ...style(0, '一般') }, 'zh-TW'],
    ['headings of Portugal', { headings: ['Folhas de cálculo'] }, 'pt-PT'],
    ['a Russian style under English headings', { headings: ['Worksheets'], ...style(0, 'Обычный') }, 'ru-RU'],
    ['a style many languages call so', style(0, 'Normal'), 'en-US'],
    ['a heading nobody knows', { headings: ['Sheets of paper'] }, 'en-US'],
    ['names of properties', { headings: ['constructor'], ...style(0, 'valueOf'), ...style(0, 'constructor') }, 'en-US'],
    ['British pounds', money('"£"#,##0.00;[Red]\\-"£"#,##0.00'), 'en-GB'],
    ['British pounds for accounts', money('_-"£"* #,##0.00_-;\\-"£"* #,##0.00_-;_-"£"* "-"??_-;_-@_-', 44), 'en-GB'],
    ['rupees', money('_ "₹"\\ * #,##0.00_ ;_ "₹"\\ * \\-#,##0.00_ ;_ @_ ', 44), 'en-IN'],
    ['rupees as Americans write money', money('_("₹"* #,##0.00_);_("₹"* \\(#,##0.00\\);_(@_)', 44), 'en-IN'],
    ['dollars of the United States', money('"$"#,##0.00_);[Red]\\("$"#,##0.00\\)'), 'en-US'],
    ['other dollars', { headings: ['Worksheets'], ...money('"$"#,##0.00;[Red]\\-"$"#,##0.00') }, 'en-AU'],
    ['euros behind the amount', money('#,##0.00\\ "€";[Red]\\-#,##0.00\\ "€"'), 'de-DE'],
    ['the same in French', { headings: ['Feuilles de calcul'], ...money('#,##0 "€";-#,##0 "€"') }, 'fr-FR'],
    ['Danish crowns', { headings: ['Regneark'], ...money('#,##0.00\\ "kr.";\\-#,##0.00\\ "kr."') }, 'da-DK'],
    [
      'American money in a Chinese Excel',
      { headings: ['工作表'], ...money('_("$"* #,##0_);_("$"* (#,##0)', 42) },
      'en-US',
    ],
    ['a format of money that was typed', money('[$₹-4009]\\ #,##0;[$₹-4009]\\ \\-#,##0'), 'en-US'],
  ])('by %s', (_what, traces, region) => {
    expect(regionOf(traces)).toBe(region);
  });

  it.each<[string, string | number, string]>([
    ['=DATEVALUE("25/10/2015")', 42_302, 'en-GB'],
    ['=WORKDAY("1-4-2023",10)', 45_030, 'en-GB'],
    ['=TEXT(1234.5,"#.##0,0")', '1.234,5', 'de-DE'],
    ['=TEXT(1234567.5,"# ##0,0")', '1 234 567,5', 'fr-FR'],
    ['=TEXT(42000,"mmmm")', 'grudzień', 'pl-PL'],
    ['="4,3"+1', 5.3, 'de-DE'],
    ['=1.5&" kg"', '1,5 kg', 'de-DE'],
    ['=COUNTIF(A1:A3,">=1,5")', 2, 'de-DE'],
    ['=FORMULATEXT(A4)', '=SUM(A1;A2)', 'de-DE'],
    ['=DOLLAR(2)', '£2.00', 'en-GB'],
    ['=COUNTIFS(C:C,">=01-03-2026",C:C,"<=10-03-2026")', 2, 'en-GB'],
    ['=TEXT(42000,"mmmm")', 'December', 'en-US'],
    ['=DATEVALUE("10/25/2015")', 42_302, 'en-US'],
    ['=DATEVALUE("1/4/03")', 36_984, 'en-CA'],
    ['=TEXT(122222203.33,"$##,###.00")', '$12,22,22,203.33', 'en-IN'],
    ['=TEXT(42000,"mmm")', '12月', 'zh-CN'],
    ['="$1"+1', '#VALUE!', 'en-GB'],
    ['="May-25"+31', 45_809, 'en-GB'],
    // No region gives this value.
    ['=TEXT(42000,"mmmm")', 'Undecimber', 'en-US'],
  ])('by the value saved for %s, %s', (formula, saved, region) => {
    const cells = { A1: 1, A2: 1.5, A3: 2, A4: '=SUM(A1,A2)', C1: 46_082, C2: 46_085, C3: 46_100 };
    expect(regionOf({}, { ...cells, B1: check(formula, saved) })).toBe(region);
  });

  it.each<[string, Partial<RegionTraces>, Record<string, TestCell>, string]>([
    ['no traces', {}, {}, 'None'],
    ['an English Excel', { headings: ['Worksheets'] }, {}, 'None'],
    ['a German Excel', { headings: ['Arbeitsblätter'] }, {}, 'Formats'],
    ['dollars of the United States', money('"$"#,##0.00_);[Red]\\("$"#,##0.00\\)'), {}, 'Formats'],
    ['a day of Britain', {}, { A1: check('=DATEVALUE("25/10/2015")', 42_302) }, 'Values'],
    ['a day of the United States', {}, { A1: check('=DATEVALUE("10/25/2015")', 42_302) }, 'Values'],
    // The same as in Britain.
    ['the name of a month', {}, { A1: check('=TEXT(42000,"mmmm")', 'December') }, 'None'],
    [
      'a German Excel that was set to Britain',
      { headings: ['Arbeitsblätter'] },
      { A1: check('=1.5&"|"&DATEVALUE("25/10/2015")', '1.5|42302') },
      'Values',
    ],
  ])('is specified by the file, or by nothing: %s', (_what, traces, cells, source) => {
    const model = buildModel({ sheets: { Sheet1: cells }, origin: { traces: { ...NONE, ...traces } } });
    expect(createRunsheetEngine().load(model).regionOrigin?.source).toBe(source);
  });

  it('is found by a text that a formula reads', () => {
    expect(regionOf({}, { A1: 'amount', A2: '13,57%', B2: check('=A2*2', 0.2714) })).toBe('de-DE');
    expect(regionOf({}, { A1: '25/10/2015', B1: check('=A1+1', 42_303) })).toBe('en-GB');
  });

  it('is found by a text that only a later sheet reads, and by one that a formula made', () => {
    const unread = Object.fromEntries(Array.from({ length: 99 }, (_, row) => [`A${row + 1}`, `${row + 1}/2/2015`]));
    const model = buildModel({
      sheets: {
        Sheet1: unread,
        Sheet2: { A1: '1/2/2015', A2: check('="2/"&"2/2015"', '2/2/2015'), B1: check('=DAYS(A2,A1)', 1) },
      },
    });
    expect(createRunsheetEngine().load(model).region).toBe('en-GB');
  });

  it('is found by a formula that reads long columns', () => {
    const days = Object.fromEntries(Array.from({ length: 1_500 }, (_, row) => [`A${row + 1}`, 46_000 + row]));
    const count = '=COUNTIFS(A1:A1500,">=01-03-2026",A1:A1500,"<=20-03-2026",A1:A1500,">0")';
    expect(regionOf({}, { ...days, C1: check(count, 20) })).toBe('en-GB');
  });

  it('is in India one that groups by hundreds, unless the values say otherwise', () => {
    const text = (saved: string): unknown => {
      const model = buildModel({
        sheets: { Sheet1: { A1: check('=TEXT(1234567,"#,##0")', saved), A2: '=TEXT(7654321,"#,##0")' } },
        origin: { traces: { ...NONE, ...money('"₹"\\ #,##0.00;[Red]"₹"\\ \\-#,##0.00') } },
      });
      const calculated = createRunsheetEngine().load(model);
      calculated.recalculate();
      return calculated.value(0, 1, 0);
    };
    expect([text('12,34,567'), text('1,234,567')]).toEqual(['76,54,321', '7,654,321']);
  });

  it('has the names of months that Chinese values have', () => {
    const text = (saved: string): unknown => {
      const cells = { A1: check('=TEXT(42000,"mmm")', saved), A2: '=TEXT(42005,"mmm dddd")' };
      const origin = { traces: { ...NONE, headings: ['工作表'] } };
      const calculated = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells }, origin }));
      calculated.recalculate();
      return calculated.value(0, 1, 0);
    };
    expect([text('12月'), text('Dec')]).toEqual(['1月 星期四', 'Jan Thursday']);
  });

  it('is the one that explains most', () => {
    const cells = {
      A1: check('=TEXT(1234.5,"0.0")', '1234.5'),
      A2: check('=DATEVALUE("25/10/2015")', 42_302),
      A3: check('=TEXT(42000,"mmmm")', 'December'),
      A4: check('=TEXT(42000,"mmm")', 'grudzień'),
    };
    expect(regionOf({ headings: ['Arkusze'] }, cells)).toBe('en-GB');
  });

  it('is what the traces say where values do not contradict it, whatever else would explain them as well', () => {
    const cells = { A1: check('=TEXT(0.5,"0,0")', '0,5') };
    expect(regionOf({ headings: ['Arkusze'] }, cells)).toBe('pl-PL');
  });

  it('is that of the United States where values contradict the traces', () => {
    const cells = { A1: check('=TEXT(42000,"mmmm")', 'December') };
    expect(regionOf({ headings: ['Arbeitsblätter'] }, cells)).toBe('en-US');
  });

  it('does not follow from formulas that chance or time decides', () => {
    expect(regionOf({}, { A1: check('=TEXT(TODAY(),"mmmm")', 'grudzień') })).toBe('en-US');
  });

  it('leaves counting bytes to the language of Excel', () => {
    const bytes = check('=LEFTB("床前",2)', '床');
    const characters = check('=LEFTB("床前",2)', '床前');
    const load = (cell: TestCell, code: string) => {
      const origin = { traces: { ...NONE, ...money(code) } };
      const model = createRunsheetEngine().load(
        buildModel({ sheets: { Sheet1: { A1: cell, A2: '=LENB("床前")' } }, origin }),
      );
      model.recalculate();
      return [model.region, model.value(0, 1, 0)];
    };
    const dollars = '"NT$"#,##0.00;[Red]\\-"NT$"#,##0.00';
    expect(load(characters, dollars)).toEqual(['zh-TW', 2]);
    expect(load(bytes, dollars)).toEqual(['zh-TW', 4]);
    expect(load(bytes, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)')).toEqual(['en-US', 4]);
  });
});

describe('a model and its copies', () => {
  it('are calculated with the same regional settings, before and after those of another workbook', () => {
    const model = (heading: string) =>
      createRunsheetEngine().load(
        buildModel({
          sheets: { Sheet1: { A1: 1234.5, A2: '=FIXED(A1,1)&TEXT(A1,"0")' } },
          origin: { traces: { ...NONE, headings: [heading] } },
        }),
      );
    const german = model('Arbeitsblätter');
    const english = model('Worksheets');
    const copy = german.copy();
    const read = (own: typeof german): unknown => {
      own.setCells([{ sheet: 0, row: 0, col: 0, value: 4321.5 }]);
      own.recalculate();
      return own.value(0, 1, 0);
    };
    expect([german, english, copy, english].map(read)).toEqual([
      '4.321,54322',
      '4,321.54322',
      '4.321,54322',
      '4,321.54322',
    ]);
  });
});
