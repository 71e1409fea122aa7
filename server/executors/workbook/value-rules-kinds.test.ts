/** Data validations of cells that hold dates, times, durations or Boolean values. */
import { afterAll, describe, expect, it } from 'vitest';
import type { SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { closeRuledExecutor, messagesOf, open, single } from '#test/support/ruled-form.ts';

afterAll(closeRuledExecutor);

/** A time from 08:30 to 17:00, a duration under 48 hours, a date and time after serial 43000, and one of two times. */
const SHIFT: WorkbookSpec = {
  date1904: true,
  formats: ['hh:mm', '[h]:mm', 'dd/mm/yyyy hh:mm'],
  sheets: [
    {
      name: 'S',
      cells: {
        A1: { value: 0.5, style: 1 },
        A2: { value: 1.5, style: 2 },
        A3: { value: 44_000.5, style: 3 },
        A4: { value: 0.25, style: 1 },
        C1: { value: 0.25, style: 1 },
        C2: { value: 0.75, style: 1 },
        D1: { formula: 'A1+A2', value: 2 },
      },
      validations: [
        { ref: 'A1', type: 'time', formula1: '8.5/24', formula2: '17/24' },
        { ref: 'A2', type: 'time', operator: 'lessThan', formula1: '2' },
        { ref: 'A3', type: 'time', operator: 'greaterThan', formula1: '43000' },
        { ref: 'A4', type: 'list', formula1: 'OFFSET($C$1,0,0,2)' },
      ],
    },
  ],
  names: { in_Begin: 'S!$A$1', in_Length: 'S!$A$2', in_At: 'S!$A$3', in_Slot: 'S!$A$4', out_X: 'S!$D$1' },
};

describe('rules of the 1904 date system', () => {
  it('hold times and durations against bounds as they are, and days against their own days', async () => {
    const form = await open(SHIFT);
    const right = { Begin: 0.5, Length: 1.5, At: 43_000 + 1462 + 0.5, Slot: 0.75 };
    expect(await form.run(right)).toMatchObject({ status: 'Succeeded', messages: [] });
    const rules = await form.rules({ Begin: 0.1, Length: 2.5, At: 43_000 + 1462, Slot: 0.3 });
    expect(messagesOf(rules, 'Begin')).toEqual([[0, 0, 'Value must be between 08:30 and 17:00']]);
    expect(messagesOf(rules, 'Length')).toEqual([[0, 0, 'Value must be before 48:00']]);
    expect(messagesOf(rules, 'At')).toEqual([[0, 0, 'Value must be after 23/Sep/2021']]);
  });
});

describe('bounds in cells that nobody has filled in yet', () => {
  it('are not shown as what is allowed', async () => {
    const form = await open(single({ type: 'decimal', formula1: 'A2', formula2: 'A2*2' }, { A2: null }));
    expect((await form.rules({}))['X']!.allowed).toBe('');
    expect((await form.rules({ Y: 5 }))['X']!.allowed).toBe('5 to 10');
  });
});

describe('a checkbox', () => {
  it('is not refused by a rule for numbers, which is named among the findings', async () => {
    const spec = single({ type: 'whole', formula1: '0', formula2: '1' }, { B2: true });
    const rows = { A1: 'Name', B1: 'CellUsages', A2: 'X', B2: 'Boolean' };
    const table = { name: 'PortalInputs', ref: 'A1:B2', columns: ['Name', 'CellUsages'] };
    const form = await open({ ...spec, sheets: [...spec.sheets, { name: 'Portal', cells: rows, tables: [table] }] });
    expect(form.findings.map(({ Message }) => Message)).toEqual([
      "A data validation of the input 'X' is not enforced: it requires a number, but the input is TRUE or FALSE.",
    ]);
    expect((await form.run({ X: true })).status).toBe('Succeeded');
  });
});

describe('a separate list in each row, which formulas calculate', () => {
  it('holds what it has in the 15 digits that Excel compares', async () => {
    const sheet: SheetSpec = {
      name: 'S',
      cells: {
        A1: 'X',
        A2: 0.3,
        A3: 0.3,
        C2: { formula: '0.1+0.2', value: 0.3 },
        C3: { formula: '0.1+0.2', value: 0.3 },
      },
      tables: [{ name: 'T', ref: 'A1:A3', columns: ['X'] }],
      validations: [{ ref: 'A2:A3', type: 'list', formula1: 'OFFSET(C2,0,0)' }],
    };
    const form = await open({ sheets: [sheet], names: { in_T: 'T', out_Z: 'S!$C$2' } });
    const rules = await form.rules({ T: [[0.3], [0.31]] });
    expect(messagesOf(rules, 'T')).toEqual([[1, 0, 'Please choose a valid value in column X']]);
  });
});

describe('a value of the workbook that its own validation refuses', () => {
  it('is named among the findings, and a run that leaves it blank works', async () => {
    const spec = single({ type: 'whole', formula1: '1', formula2: '40' }, { B2: 99 });
    const form = await open(spec);
    expect(form.findings).toEqual([
      {
        Sheet: 'S',
        Cell: 'B2',
        Message:
          "The data validation of the input 'X' refuses the value that the workbook has there: Value must be between 1 and 40.",
        Remedy: 'Change the value or the validation. A run accepts this value only as long as nobody enters another.',
      },
    ]);
    expect((await form.run({})).status).toBe('Succeeded');
    // As a form sends it that displays the workbook's value.
    expect((await form.run({ X: 99 })).status).toBe('Succeeded');
    expect((await form.run({ X: 98 })).messages).toEqual(["Input 'X': Value must be between 1 and 40"]);
  });

  it('is not named where a warning alone is about it, or it is right', async () => {
    const bounds = { type: 'whole', formula1: '1', formula2: '40' };
    expect((await open(single({ ...bounds, errorStyle: 'warning' }, { B2: 99 }))).findings).toEqual([]);
    expect((await open(single(bounds, { B2: 40 }))).findings).toEqual([]);
  });
});
