import { Buffer } from 'node:buffer';
import excelJs from 'exceljs';
import { expect, test } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { Mark } from '#shared/contract/designs.ts';
import { INPUT_OPTIONS, OUTPUT_OPTIONS } from '#shared/rules/parameter-kinds.ts';
import { buildWorkbook, workbookParts } from '#test/support/build-workbook.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { zipParts } from '#test/support/zip-parts.ts';
import { createCellView } from '../definitions/cell-view.ts';
import { PORTAL_COLUMNS } from '../definitions/portal-tables.ts';
import { readDefinition } from '../definitions/read-definition.ts';
import { openPackage } from '../package.ts';
import { declaredMarks } from './marks-of.ts';
import { writeMarks } from './write-marks.ts';

const QUOTE: WorkbookSpec = {
  sheets: [
    {
      name: "Quote's sheet",
      cells: {
        A1: { value: 'Interest rate (p.a.)' },
        B1: { value: 0.05 },
        A2: { value: 'Amount' },
        B2: { value: 1000 },
        A3: { value: 'Interest' },
        B3: { value: 50, formula: 'B1*B2' },
        A5: { value: 'Item' },
        B5: { value: 'Price' },
        A6: { value: 'Pen' },
        B6: { value: 2 },
        A7: { value: 'Ink' },
        B7: { value: 3 },
      },
    },
  ],
};

const SHEET = "Quote's sheet";
const mark = (Role: Mark['Role'], Name: string, Range: string, Options: Mark['Options'] = {}): Mark => ({
  Role,
  Name,
  Sheet: SHEET,
  Range,
  Options,
});

const MARKS: Mark[] = [
  mark('Input', 'Interest rate (p.a.)', 'B1'),
  mark('Input', 'Amount', 'B2', { Description: 'In euros & cents', Section: 'Loan' }),
  mark('Input', 'Items', 'A5:B7'),
  mark('Output', 'Interest', 'B3', { CalculateImmediately: 'TRUE' }),
];

async function marksOf(bytes: Uint8Array): Promise<Mark[]> {
  const model = readWorkbook(await openPackage(bytes));
  return declaredMarks(model, createCellView(model)).map((one) => one.mark);
}

async function definitionOf(bytes: Uint8Array) {
  const { definition, problems } = readDefinition(readWorkbook(await openPackage(bytes)));
  expect(problems).toEqual([]);
  return definition!;
}

test('a marked workbook declares the marks, and reading it gives their definition', async () => {
  const marked = await writeMarks(await buildWorkbook(QUOTE), MARKS);
  expect(new Set(await marksOf(marked))).toEqual(new Set(MARKS));
  const { inputs, outputs } = await definitionOf(marked);
  expect(inputs.map(({ Name, Description, Info }) => [Name, Description, Info.Section, Info.RangeType])).toEqual([
    ['Interest rate (p.a.)', '', undefined, 'SingleCell'],
    ['Amount', 'In euros & cents', 'Loan', 'SingleCell'],
    ['Items', '', undefined, 'RangeWithColumnHeaders'],
  ]);
  expect(outputs.map(({ Name, Info }) => [Name, Info.CalculateImmediately])).toEqual([['Interest', true]]);
});

test('no other part of the file changes, and marking it again with the same marks changes nothing', async () => {
  const before = await openPackage(await buildWorkbook(QUOTE));
  const marked = await writeMarks(await buildWorkbook(QUOTE), MARKS);
  const after = await openPackage(marked);
  const changed = before.paths.filter(
    (path) => !Buffer.from(before.part(path)!).equals(Buffer.from(after.part(path)!)),
  );
  expect(changed).toEqual(['[Content_Types].xml', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels']);
  expect(after.paths.filter((path) => !before.paths.includes(path))).toEqual([
    'xl/worksheets/sheet2.xml',
    'xl/tables/table1.xml',
    'xl/worksheets/_rels/sheet2.xml.rels',
    'xl/tables/table2.xml',
  ]);
  expect(Buffer.from(await writeMarks(marked, MARKS)).equals(Buffer.from(marked))).toBe(true);
});

test('marks that need no options leave no Portal sheet, and marks that are gone leave no name', async () => {
  const marked = await writeMarks(await buildWorkbook(QUOTE), MARKS);
  const [, , items] = MARKS;
  const fewer = await writeMarks(marked, [items!]);
  expect(await marksOf(fewer)).toEqual([items]);
  const model = readWorkbook(await openPackage(fewer));
  expect(model.names.map(({ name }) => name)).toEqual(['in_Items']);
  expect(model.tables).toEqual([]);
});

test('options that change are written to the same sheet', async () => {
  const marked = await writeMarks(await buildWorkbook(QUOTE), MARKS);
  const [rate, amount, ...others] = MARKS;
  const changed = [rate!, { ...amount!, Options: { Specification: 'Optional' } }, ...others];
  const again = await writeMarks(marked, changed);
  expect(new Set(await marksOf(again))).toEqual(new Set(changed));
  expect(readWorkbook(await openPackage(again)).sheets.map(({ name }) => name)).toEqual([SHEET, 'Portal']);
  await definitionOf(again);
});

test('a name that formulas use is hidden instead of removed', async () => {
  const spec: WorkbookSpec = {
    sheets: [{ name: SHEET, cells: { B1: { value: 5 }, B2: { value: 10, formula: 'in_Amount*2' } } }],
    names: { in_Amount: `'Quote''s sheet'!$B$1` },
  };
  const output = mark('Output', 'Double', 'B2');
  const marked = await writeMarks(await buildWorkbook(spec), [output]);
  expect(await marksOf(marked)).toEqual([output]);
  const { names } = readWorkbook(await openPackage(marked));
  expect(names.map(({ name, hidden }) => [name, hidden])).toEqual([
    ['in_Amount', true],
    ['out_Double', false],
  ]);
  const moved = mark('Input', 'Amount', 'B3');
  expect(await marksOf(await writeMarks(marked, [moved, output]))).toEqual([moved, output]);
});

test.each(['hidden="false"', "hidden='0'"])(
  'a name with %s gets no second attribute when it is hidden',
  async (written) => {
    const spec: WorkbookSpec = {
      sheets: [{ name: SHEET, cells: { B1: { value: 5 }, B2: { value: 10, formula: 'in_Amount*2' } } }],
      names: { in_Amount: `'Quote''s sheet'!$B$1` },
    };
    const parts = workbookParts(spec);
    parts['xl/workbook.xml'] = String(parts['xl/workbook.xml']).replace('<definedName ', `<definedName ${written} `);
    const marked = await openPackage(await writeMarks(await zipParts(parts), [mark('Output', 'Double', 'B2')]));
    const xml = Buffer.from(marked.part('xl/workbook.xml')!).toString();
    expect(xml.match(/<definedName [^>]*in_Amount[^>]*>/)![0].match(/hidden=(['"]).*?\1/g)).toEqual([
      written.replace(/false|0/, '1'),
    ]);
    expect(readWorkbook(marked).names.map(({ name, hidden }) => [name, hidden])).toContainEqual(['in_Amount', true]);
  },
);

test('tables of inputs beside others of the Portal sheet move to a sheet for marks', async () => {
  const spec: WorkbookSpec = {
    sheets: [
      ...QUOTE.sheets,
      {
        name: 'Portal',
        cells: {
          A1: { value: 'Name' },
          B1: { value: 'Value' },
          A2: { value: 'Description' },
          B2: { value: 'Interest of a loan' },
          D1: { value: 'Name' },
          E1: { value: 'Range' },
          D2: { value: 'Amount' },
          E2: { value: `'${SHEET.replace("'", "''")}'!B2` },
        },
        tables: [
          { name: 'PortalSettings', ref: 'A1:B2', columns: ['Name', 'Value'] },
          { name: 'PortalInputs', ref: 'D1:E2', columns: ['Name', 'Range'] },
        ],
      },
    ],
  };
  const file = await buildWorkbook(spec);
  expect(await marksOf(file)).toEqual([mark('Input', 'Amount', 'B2')]);
  const marked = await writeMarks(file, MARKS);
  expect(new Set(await marksOf(marked))).toEqual(new Set(MARKS));
  const model = readWorkbook(await openPackage(marked));
  expect(model.tables.map(({ name, sheet }) => [name, model.sheets[sheet]!.name])).toEqual([
    ['PortalSettings', 'Portal'],
    ['PortalInputs', 'Portal 2'],
    ['PortalOutputs', 'Portal 2'],
  ]);
  expect((await definitionOf(marked)).proposals).toEqual({ Description: 'Interest of a loan' });
});

test('strict files, and files whose elements have prefixes, are marked in their own words', async () => {
  const parts = workbookParts(QUOTE);
  const strict = Object.fromEntries(
    Object.entries(parts).map(([path, content]) => [
      path,
      String(content)
        .replaceAll(
          'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
          'http://purl.oclc.org/ooxml/spreadsheetml/main',
        )
        .replaceAll(
          'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
          'http://purl.oclc.org/ooxml/officeDocument/relationships',
        ),
    ]),
  );
  const marked = await writeMarks(await zipParts(strict), MARKS);
  expect(new Set(await marksOf(marked))).toEqual(new Set(MARKS));
  const opened = await openPackage(marked);
  for (const path of opened.paths.filter((one) => one.endsWith('.xml') || one.endsWith('.rels')))
    expect(Buffer.from(opened.part(path)!).toString()).not.toContain('schemas.openxmlformats.org/spreadsheetml');

  const main = String(parts['xl/workbook.xml'])
    .replace('xmlns=', 'xmlns:x=')
    .replaceAll(/<(\/?)(?=[a-z])/gi, '<$1x:');
  const prefixed = await writeMarks(await zipParts({ ...parts, 'xl/workbook.xml': main }), MARKS);
  expect(new Set(await marksOf(prefixed))).toEqual(new Set(MARKS));
});

test('a mark has an option for every column of the Portal sheet but its name and cells', () => {
  const options = (columns: readonly string[]) => columns.filter((name) => name !== 'Name' && name !== 'Range');
  expect(options(PORTAL_COLUMNS.PortalInputs)).toEqual([...INPUT_OPTIONS]);
  expect(options(PORTAL_COLUMNS.PortalOutputs)).toEqual([...OUTPUT_OPTIONS]);
});

test('other programs find the added sheet and its tables', async () => {
  const written = await writeMarks(await buildWorkbook(QUOTE), MARKS);
  const workbook = new excelJs.Workbook();
  await workbook.xlsx.load(Buffer.from(written) as never);
  const sheet = workbook.getWorksheet('Portal');
  expect(sheet?.getTable('PortalInputs')).toBeTruthy();
});
