/** Workbooks into which cells are inserted, for tests that examine single parts. */
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellInsertion } from '#server/calculation/tables/insert-cells.ts';
import { insertCells } from '#server/executors/workbook/room/insert-cells.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { writePackage } from '#server/executors/workbook/zip-writer.ts';
import { buildWorkbook, workbookParts } from './build-workbook.ts';
import type { WorkbookSpec } from './build-workbook.ts';

/** Inserts the cells, writes the workbook to a file and opens it again. */
export async function insertedIn(
  spec: WorkbookSpec,
  insertion: CellInsertion,
): Promise<{ model: WorkbookModel; text: (path: string) => string }> {
  const source = await openPackage(await buildWorkbook(spec));
  const moved = insertCells(source, readWorkbook(source), insertion);
  const after = await openPackage(await writePackage(moved, new Map()));
  return { model: readWorkbook(after), text: (path) => new TextDecoder().decode(after.part(path)) };
}

/** Returns the XML of a sheet with `extra` after its cells. */
export async function insertedText(extra: string, insertion: CellInsertion): Promise<string> {
  const { text } = await insertedIn({ sheets: [{ name: 'S', cells: { A1: 1 }, extra }] }, insertion);
  return text('xl/worksheets/sheet1.xml');
}

/** A sheet with these rows. */
export function CELL(rows: string): WorkbookSpec {
  const spec: WorkbookSpec = { sheets: [{ name: 'S' }] };
  const path = 'xl/worksheets/sheet1.xml';
  const sheet = workbookParts(spec)[path] as string;
  return { ...spec, parts: { [path]: sheet.replace('<sheetData></sheetData>', `<sheetData>${rows}</sheetData>`) } };
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const RELATIONS = [
  ['rIdNotes', `${OFFICE}/comments`, '../comments1.xml'],
  ['rIdVml', `${OFFICE}/vmlDrawing`, '../drawings/vmlDrawing1.vml'],
  [
    'rIdThread',
    'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment',
    '../threadedComments/threadedComment1.xml',
  ],
  ['rIdDrawing', `${OFFICE}/drawing`, '../drawings/drawing1.xml'],
  ['rIdCtrl', `${OFFICE}/ctrlProp`, '../ctrlProps/ctrlProp1.xml'],
].map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`);

/** A note with its shape and its thread, a shape linked to a cell, and a control that writes a cell. */
export const EXTRA_SHEET: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 1 }, notes: { A5: 'note' } }],
  parts: {
    'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${RELATIONS.join('')}</Relationships>`,
    'xl/drawings/vmlDrawing1.vml':
      '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape id="n"><x:ClientData ObjectType="Note">' +
      '<x:Anchor>1, 15, 3, 2, 3, 15, 8, 4</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>4</x:Row><x:Column>0</x:Column></x:ClientData></v:shape>' +
      '<v:shape id="c"><x:ClientData ObjectType="Checkbox"><x:Anchor>5, 0, 6, 0, 6, 0, 7, 0</x:Anchor><x:FmlaLink>$A$9</x:FmlaLink></x:ClientData></v:shape></xml>',
    'xl/threadedComments/threadedComment1.xml':
      '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="A5" id="{1}"><text>note</text></threadedComment></ThreadedComments>',
    'xl/drawings/drawing1.xml':
      '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"><xdr:absoluteAnchor><xdr:sp macro="" textlink="S!$B$9"></xdr:sp></xdr:absoluteAnchor></xdr:wsDr>',
    'xl/ctrlProps/ctrlProp1.xml':
      '<formControlPr xmlns="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" objectType="CheckBox" fmlaLink="S!$C$5"/>',
  },
};
