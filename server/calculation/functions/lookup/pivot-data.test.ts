import { expect, it } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { encodeUtf8 } from '#server/calculation/reader/xml-text.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { workbookParts } from '#test/support/build-workbook.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (type: string, target: string): string =>
  `<Relationships><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;

const CACHE = `<pivotCacheDefinition><cacheFields>
  <cacheField name="Region"><sharedItems><s v="West"/><s v="East"/></sharedItems></cacheField>
  <cacheField name="Product"><sharedItems><s v="Bike"/><s v="Car"/><m/></sharedItems></cacheField>
  <cacheField name="Year"><sharedItems><n v="2024"/><n v="2023"/></sharedItems></cacheField>
  <cacheField name="Sales"><sharedItems/></cacheField>
  <cacheField name="Kind"><sharedItems><s v="New"/><s v="Old"/></sharedItems></cacheField>
</cacheFields></pivotCacheDefinition>`;

const line = (items: string, attributes = ''): string => `<i${attributes}>${items}</i>`;
const PIVOT = `<pivotTableDefinition><location ref="A3:D10" firstHeaderRow="1" firstDataRow="2" firstDataCol="1" rowPageCount="1" colPageCount="1"/>
  <pivotFields>
    <pivotField axis="axisRow"><items><item x="1"/><item x="0" n="Far West"/><item t="default"/></items></pivotField>
    <pivotField axis="axisRow"><items><item x="0"/><item x="1"/><item x="2"/><item t="default"/></items></pivotField>
    <pivotField axis="axisCol"><items><item x="1"/><item x="0"/><item t="default"/></items></pivotField>
    <pivotField dataField="1"/>
    <pivotField axis="axisPage"><items><item x="0"/><item x="1"/><item t="default"/></items></pivotField>
  </pivotFields>
  <rowFields><field x="0"/><field x="1"/></rowFields>
  <rowItems>${line('<x/>')}${line('<x/>', ' r="1"')}${line('<x v="1"/>', ' r="1"')}
    ${line('<x v="1"/>')}${line('<x v="2"/>', ' r="1"')}${line('<x/>', ' t="grand"')}</rowItems>
  <colFields><field x="2"/></colFields>
  <colItems>${line('<x/>')}${line('<x v="1"/>')}${line('<x/>', ' t="grand"')}</colItems>
  <pageFields><pageField fld="4" item="1"/></pageFields>
  <dataFields><dataField name="Sum of Sales" fld="3"/></dataFields></pivotTableDefinition>`;

/**
 * The pivot table as Excel shows it in compact form: subtotals are in the same rows as the headings of their groups.
 */
const TABLE = [
  ['Sum of Sales', 'Column Labels', null, null],
  ['Row Labels', 2023, 2024, 'Grand Total'],
  ['East', 10, 20, 30],
  ['Bike', 4, 8, 12],
  ['Car', 6, 12, 18],
  ['Far West', 1, null, 1],
  ['(blank)', 1, null, 1],
  ['Grand Total', 11, 20, 31],
];

function result(formula: string): unknown {
  const cells = Object.fromEntries(
    TABLE.flatMap((row, at) => row.map((value, col) => [`${'ABCD'[col]}${at + 3}`, value] as const)),
  );
  const spec = { sheets: [{ name: 'Pivot', cells: { ...cells, F1: { formula: formula.slice(1) } } }] };
  const files: Record<string, string | Uint8Array> = {
    ...workbookParts(spec as Parameters<typeof workbookParts>[0]),
    'xl/worksheets/_rels/sheet1.xml.rels': relationships('pivotTable', '../pivotTables/pivotTable1.xml'),
    'xl/pivotTables/pivotTable1.xml': PIVOT,
    'xl/pivotTables/_rels/pivotTable1.xml.rels': relationships(
      'pivotCacheDefinition',
      '../pivotCache/pivotCacheDefinition1.xml',
    ),
    'xl/pivotCache/pivotCacheDefinition1.xml': CACHE,
  };
  const part = (path: string): Uint8Array | undefined => {
    const file = files[path];
    return typeof file === 'string' ? encodeUtf8(file) : file;
  };
  const model = createRunsheetEngine().load(readWorkbook({ paths: Object.keys(files), part }));
  model.recalculate();
  const value = model.value(0, 0, 5);
  return value instanceof CellError ? value.code : value;
}

it.each([
  ['=GETPIVOTDATA("Sum of Sales",$A$3)', 31],
  ['=GETPIVOTDATA("sales",B7)', 31],
  // The report filter, and the row between it and the table.
  ['=GETPIVOTDATA("sales",B1)', 31],
  ['=GETPIVOTDATA("sales",B2)', '#REF!'],
  ['=GETPIVOTDATA("sales",C1)', '#REF!'],
  ['=GETPIVOTDATA("Sales",$A$3,"Region","East")', 30],
  ['=GETPIVOTDATA("Sales",$A$3,"Region","east","Year",2023)', 10],
  ['=GETPIVOTDATA("Sales",$A$3,"Year",2024)', 20],
  ['=GETPIVOTDATA("Sales",$A$3,"Year","2024","Region","East","Product","Car")', 12],
  ['=GETPIVOTDATA("Sales",$A$3,"Region","Far West","Product","(blank)")', 1],
  ['=GETPIVOTDATA("Sales",$A$3,"Region","Far West","Year",2024)', 0],
  // The selected item of a report filter applies to the whole table.
  ['=GETPIVOTDATA("Sales",$A$3,"Kind","Old","Region","East")', 30],
  ['=GETPIVOTDATA("Sales",$A$3,"Kind","New","Region","East")', '#REF!'],
  // Values that the table does not show.
  ['=GETPIVOTDATA("Sales",$A$3,"Product","Bike")', '#REF!'],
  ['=GETPIVOTDATA("Sales",$A$3,"Region","Far West","Product","Car")', '#REF!'],
  ['=GETPIVOTDATA("Sales",$A$3,"Region","North")', '#REF!'],
  ['=GETPIVOTDATA("Sales",$A$3,"Colour","Red")', '#REF!'],
  ['=GETPIVOTDATA("Profit",$A$3)', '#REF!'],
  ['=GETPIVOTDATA("Sales",$H$30)', '#REF!'],
  ['=GETPIVOTDATA("Sales",$A$3,"Region",NA())', '#N/A'],
  ['=SUM(GETPIVOTDATA("Sales",$A$3,"Year",{2023,2024}))', 31],
  // The syntax from before Excel 2002.
  ['=GETPIVOTDATA($A$3,"Sum of Sales")', 31],
  ['=GETPIVOTDATA($A$3,"sum of sales East \'2023\'")', 10],
  ["=GETPIVOTDATA($A$3,\"'Far West' Year['2023']\")", 1],
  ['=GETPIVOTDATA($A$3,"\'Far West\' (blank)")', 1],
  ['=GETPIVOTDATA($A$3,"Region[East;Max]")', '#REF!'],
  ['=GETPIVOTDATA($A$3,"East Sales Old")', 30],
  ['=GETPIVOTDATA($A$3,"North")', '#REF!'],
  ['=GETPIVOTDATA($A$3,"East[")', '#REF!'],
])('%s', (formula, expected) => {
  expect(result(formula)).toBe(expected);
});
