/** Data validations of a workbook: how they are read, and what they report about values. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { ValidationSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { closeRuledExecutor, messagesOf, open, ruledExecutor, single } from '#test/support/ruled-form.ts';
import { DEC_31, JAN_1, RULED } from '#test/support/ruled-workbook.ts';
import { checkInput } from '#shared/rules/input-rules.ts';

afterAll(closeRuledExecutor);

describe('the rules of an input', () => {
  it('are read with bounds that never change as numbers, and the workbook’s own words', async () => {
    const { info } = await open(RULED);
    const range = { Top: 0, Left: 0, Bottom: 0, Right: 0 };
    const plain = { ...range, Alert: 'Stop', Title: '', Text: '' };
    expect(info('Years').Rules).toEqual([{ ...plain, Type: 'whole', Operator: 'between', Bounds: [1, 40] }]);
    expect(info('Day').Rules).toEqual([{ ...plain, Type: 'date', Operator: 'between', Bounds: [JAN_1, DEC_31] }]);
    expect(info('Boxes').Rules).toMatchObject([
      { Type: 'custom', Calculated: true, Bounds: [], Title: 'Odd', Text: 'Only even numbers of boxes' },
    ]);
    expect(info('Grace').Rules).toMatchObject([{ Type: 'decimal', Calculated: true }]);
    expect(info('Many').Rules).toMatchObject([{ Operator: 'lessThan', Bounds: [100], Alert: 'Warning' }]);
    expect(info('City').Pickers).toEqual([{ Type: 'List', PreventOtherValues: true, Calculated: true }]);
    expect(info('Spans').Rules).toMatchObject([
      { Top: 0, Left: 1, Bottom: null, Right: 1, Type: 'custom' },
      { Top: 0, Left: 0, Bottom: null, Right: 0, Type: 'whole' },
    ]);
  });

  it('that cannot be kept to are named with their cell and the reason', async () => {
    const { findings, info } = await open(RULED);
    expect(findings.map(({ Sheet, Cell, Message }) => [Sheet, Cell, Message])).toEqual([
      ['S', 'B11', "A data validation of the input 'Linked' is not enforced: it reads another workbook."],
      [
        'S',
        'B12',
        "A data validation of the input 'Silent' is not enforced: its error alert is switched off, so other values are accepted, as in Excel.",
      ],
    ]);
    expect(info('Linked').Rules).toBeUndefined();
    expect(info('Silent').Rules).toBeUndefined();
  });

  it.each([
    ['NoSuchName+1', "it reads the name 'NoSuchName', which is not there"],
    ['Gone!A1', "it reads the sheet 'Gone', which is not there"],
    ['#REF!+1', 'it reads cells that no longer exist (#REF!)'],
    ['NOSUCH(A1)', 'it uses NOSUCH, which cannot be calculated here'],
    ['1+*', 'its formula cannot be read'],
  ])('are not made of %s', async (formula1, reason) => {
    const { findings } = await open(single({ type: 'decimal', operator: 'lessThan', formula1 }));
    expect(findings.map(({ Message }) => Message)).toEqual([
      `A data validation of the input 'X' is not enforced: ${reason}.`,
    ]);
  });
});

describe('bounds that cells and formulas give', () => {
  it('follow what is filled in elsewhere, and say what is allowed', async () => {
    const form = await open(single({ type: 'decimal', formula1: 'A2', formula2: 'A2*2' }));
    expect((await form.rules({ X: 11, Y: 5 }))['X']).toEqual({
      Name: 'X',
      allowed: '5 to 10',
      issues: [{ row: 0, col: 0, Alert: 'Stop', Title: '', Message: 'Value must be between 5 and 10' }],
    });
    expect((await form.rules({ X: 11, Y: 6 }))['X']).toMatchObject({ allowed: '6 to 12', issues: [] });
  });

  it.each<[string, number, number, boolean]>([
    ['between', 1, 9, false],
    ['notBetween', 5, 11, false],
    ['equal', 4, 5, true],
    ['notEqual', 5, 4, true],
    ['greaterThan', 5, 6, true],
    ['lessThan', 5, 4, true],
    ['greaterThanOrEqual', 4, 5, true],
    ['lessThanOrEqual', 6, 5, true],
  ])('with %s refuse %d and take %d', async (operator, wrong, right, isOne) => {
    const bounds = { formula1: 'A2', ...(isOne ? {} : { formula2: 'A2*2' }) };
    const form = await open(single({ type: 'whole', operator, ...bounds }));
    expect((await form.rules({ X: wrong, Y: 5 }))['X']!.issues).toHaveLength(1);
    expect((await form.rules({ X: right, Y: 5 }))['X']!.issues).toEqual([]);
  });

  it('let everything through where Ignore blank is ticked and a cell they name is blank, as Excel does', async () => {
    const rule = { type: 'decimal', operator: 'lessThan', formula1: 'E9' };
    const ticked = await open(single({ ...rule, allowBlank: true }));
    expect((await ticked.rules({ X: 9 }))['X']).toMatchObject({ allowed: '', issues: [] });
    const open0 = await open(single(rule));
    expect(messagesOf(await open0.rules({ X: 9 }), 'X')).toEqual([[0, 0, 'Value must be less than 0']]);
  });

  it('refuse where they come to an error', async () => {
    const form = await open(single({ type: 'decimal', operator: 'lessThan', formula1: '1/(A2-5)' }));
    expect(messagesOf(await form.rules({ X: 9, Y: 5 }), 'X')).toEqual([
      [0, 0, "Value cannot be checked, because the workbook's limits for it cannot be calculated"],
    ]);
  });

  it('count days of the 1904 system from their own beginning', async () => {
    const spec = single({ type: 'date', operator: 'lessThan', formula1: '100' }, { B2: { value: 10, style: 1 } });
    const form = await open({ ...spec, date1904: true, formats: ['dd/mm/yyyy'] });
    const day = (serial1904: number): number => serial1904 + 1462;
    expect(messagesOf(await form.rules({ X: day(100) }), 'X')).toEqual([[0, 0, 'Value must be before 10/Apr/1904']]);
    expect(messagesOf(await form.rules({ X: day(99) }), 'X')).toEqual([]);
  });
});

describe('a list whose alert only informs', () => {
  const listed = (more: Partial<ValidationSpec>) =>
    single({ type: 'list', formula1: '"North,South"', ...more }, { B2: 'North' });

  it.each([
    ['warning', 'Warning'],
    ['information', 'Information'],
  ])('of the kind %s takes other values, and says so', async (errorStyle, Alert) => {
    const form = await open(listed({ errorStyle }));
    expect(form.info('X').Pickers).toEqual([{ Type: 'List', PreventOtherValues: false }]);
    expect((await form.rules({ X: 'West' }))['X']!.issues).toEqual([
      { row: 0, col: 0, Alert, Title: '', Message: 'Value is not in the list' },
    ]);
    expect((await form.rules({ X: 'south' }))['X']!.issues).toEqual([]);
    expect((await form.run({ X: 'West' })).messages).toContain("Input 'X': Value is not in the list");
  });

  it('says what the workbook wants to be said, also of a list that formulas make', async () => {
    const cells = { E1: 'Oslo', E2: 'Bergen' };
    const alert = {
      errorStyle: 'warning',
      errorTitle: 'New',
      error: 'Tell the office',
      formula1: 'OFFSET($E$1,0,0,2)',
    };
    const spec = listed(alert);
    const form = await open({
      ...spec,
      sheets: [{ ...spec.sheets[0]!, cells: { ...spec.sheets[0]!.cells, ...cells } }],
    });
    expect((await form.rules({ X: 'Rome' }))['X']!.issues).toMatchObject([
      { Title: 'New', Message: 'Tell the office' },
    ]);
    expect((await form.rules({ X: 'Oslo' }))['X']!.issues).toEqual([]);
  });

  it('says nothing where its alert is switched off, or it refuses other values itself', async () => {
    for (const more of [{ errorStyle: 'warning', showError: false }, {}]) {
      expect((await open(listed(more))).info('X').Rules).toBeUndefined();
    }
  });
});

describe('rules in a table', () => {
  it('shift their relative references from row to row, also into rows that are added', async () => {
    const form = await open(RULED);
    const rules = await form.rules({
      Spans: [
        [1, 2],
        [5, 4],
        [1, 9],
        [9, 8],
      ],
    });
    expect(messagesOf(rules, 'Spans')).toEqual([
      [1, 1, 'Value in column To does not satisfy the rule of the workbook'],
      [3, 1, 'Value in column To does not satisfy the rule of the workbook'],
    ]);
  });

  it('follow the totals of a table that grows', async () => {
    const spec: WorkbookSpec = {
      sheets: [
        {
          name: 'S',
          cells: {
            A1: 'N',
            A2: 1,
            A3: 2,
            A4: { formula: 'SUM(T[N])', value: 3 },
            C1: 3,
            D1: { formula: 'C1', value: 3 },
          },
          tables: [{ name: 'T', ref: 'A1:A4', columns: ['N'], totals: true }],
          validations: [{ ref: 'C1', type: 'whole', operator: 'equal', formula1: 'A4' }],
        },
      ],
      names: { in_T: 'T', in_X: 'S!$C$1', out_Y: 'S!$D$1' },
    };
    const form = await open(spec);
    expect(messagesOf(await form.rules({ T: [[1], [2], [3], [4]], X: 10 }), 'X')).toEqual([]);
    expect(messagesOf(await form.rules({ T: [[1], [2], [3], [4]], X: 3 }), 'X')).toEqual([[0, 0, 'Value must be 10']]);
  });

  it('hold lists that differ from row to row against the row’s own', async () => {
    const spec: WorkbookSpec = {
      sheets: [
        {
          name: 'S',
          cells: {
            A1: 'Region',
            B1: 'City',
            A2: 'North',
            B2: 'Oslo',
            D1: 'Oslo',
            E1: 'Rome',
            G1: { formula: 'B2', value: 'Oslo' },
          },
          tables: [{ name: 'T', ref: 'A1:B2', columns: ['Region', 'City'] }],
          validations: [
            { ref: 'B2', type: 'list', formula1: 'INDIRECT($A2)' },
            { ref: 'A2', type: 'list', formula1: '"North,South"' },
          ],
        },
      ],
      names: { in_T: 'T', out_Y: 'S!$G$1', North: 'S!$D$1', South: 'S!$E$1' },
    };
    const form = await open(spec);
    expect(form.info('T').Pickers[1]).toMatchObject({ Type: 'List', PerRow: true, PreventOtherValues: false });
    const rules = await form.rules({
      T: [
        ['North', 'oslo'],
        ['South', 'Oslo'],
      ],
    });
    expect(messagesOf(rules, 'T')).toEqual([[1, 1, 'Please choose a valid value in column City']]);
  });
});

describe('the sample of a loan', () => {
  it('refuses 99.5 years', async () => {
    const bytes = readFileSync(new URL('../../../samples/files/loan-schedule.xlsx', import.meta.url));
    const { definition } = await ruledExecutor().inspect(
      { fileName: 'L.xlsx', bytes, acceptUnsupported: [] },
      new AbortController().signal,
    );
    const { Info, Name } = definition!.inputs.find(({ Info: { Rules } }) => Rules?.[0]?.Type === 'whole')!;
    const input = { ...FIXED, Name, Info };
    const check = (value: number) => checkInput(input, { value, files: [], useDefault: false });
    expect(check(99.5)).toEqual([{ message: 'Value must be between 1 and 40' }]);
    expect(check(40)).toEqual([]);
  });
});

const FIXED = {
  Id: 1,
  ActivityId: 1,
  Description: '',
  HasAccess: true,
  PresetValue: null,
  PresetValueError: null,
};

describe('a run', () => {
  it('fails if a value breaks a rule that stops, regardless of who started it, and reports each value', async () => {
    const book = await open(RULED);
    expect(await book.run({ Years: 99.5, Boxes: 3, Grace: 11, Spans: [[0, 9]] })).toEqual({
      status: 'Failed',
      messages: [
        "Input 'Years': Value must be between 1 and 40",
        // By now, Years is 99.5 in the workbook, so it does not limit Grace.
        "Input 'Spans', row 1: Value in column From must be greater than 0",
        "Input 'Boxes': Only even numbers of boxes",
      ],
    });
  });

  it('takes no value that a list of formulas does not offer, whether or not a form could calculate it', async () => {
    const book = await open(RULED);
    expect(await book.run({ Region: 'South', City: 'Oslo' })).toEqual({
      status: 'Failed',
      messages: ["Input 'City': Please choose a valid value."],
    });
    expect((await book.run({ Region: 'South', City: 'rome' })).status).toBe('Succeeded');
    // Nobody entered this value: it is the workbook's own.
    expect((await book.run({ Region: 'South' })).status).toBe('Succeeded');
  });

  it('holds the rows of a table against the list of their column', async () => {
    const book = await open({
      sheets: [
        {
          name: 'S',
          cells: { A1: 'Size', B1: 'Note', A2: 10, B2: 'a', D1: 10, D2: { formula: 'D1*2', value: 20 }, E1: 'x' },
          tables: [{ name: 'T', ref: 'A1:B2', columns: ['Size', 'Note'] }],
          validations: [{ ref: 'A2', type: 'list', formula1: '$D$1:$D$2' }],
        },
      ],
      names: { in_T: 'T', in_Base: 'S!$D$1', out_Y: 'S!$E$1' },
    });
    const rows = (...sizes: number[]) => sizes.map((size) => [size, 'b']);
    expect(await book.run({ Base: 7, T: rows(7, 14, 20) })).toEqual({
      status: 'Failed',
      messages: ["Input 'T', row 3: Please choose a valid value in column Size"],
    });
    expect((await book.run({ Base: 10, T: rows(10, 20, 20) })).status).toBe('Succeeded');
  });

  it('continues if a rule only warns, and reports it', async () => {
    const book = await open(RULED);
    expect(await book.run({ Years: 20, Many: 500 })).toEqual({
      status: 'SucceededWarn',
      messages: ["Input 'Many': Rather many"],
    });
    expect((await book.run({ Years: 20 })).status).toBe('Succeeded');
  });
});
