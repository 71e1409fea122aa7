/**
 * Writes an .xlsx file of a workbook model for LibreOffice to open: cells, formulas, names, tables, number formats and
 * hidden rows. Other parts of the uploaded file (links, macros, pictures, connections) never reach LibreOffice.
 */
import { Buffer } from 'node:buffer';
import { formatBlock } from '#shared/codecs/cell-address.ts';
import { Scope } from '#server/calculation/graph/scope.ts';
import type { TableShape } from '#server/calculation/graph/scope.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { encodeExcelEscapes, escapeAttribute, escapeXml } from '#shared/codecs/xml-escapes.ts';
import { printFormula } from '#server/calculation/syntax/printer.ts';
import { Overlay } from './overlay.ts';
import { withPlainReferences } from './plain-references.ts';
import { sheetXml } from './sheet-xml.ts';
import { storedZip } from './stored-zip.ts';

export interface FileContent {
  model: WorkbookModel;
  overlay: Overlay;
  /** In their current size. */
  tables: readonly TableShape[];
  scope: Scope;
}

type Parts = Map<string, string | Buffer>;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Returns the file. Its last sheet, after those of the model, is empty. */
export function workbookFile(content: FileContent): Buffer {
  const { model, tables } = content;
  const parts: Parts = new Map();
  const count = model.sheets.length + 1;
  parts.set('[Content_Types].xml', contentTypes(count, tables.length));
  parts.set('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]));
  parts.set('xl/workbook.xml', workbookXml(content));
  const sheetRelations = Array.from({ length: count }, (_, index): [string, string] => [
    'worksheet',
    `worksheets/sheet${index + 1}.xml`,
  ]);
  const others: [string, string][] = [
    ['styles', 'styles.xml'],
    ['sharedStrings', 'sharedStrings.xml'],
  ];
  parts.set('xl/_rels/workbook.xml.rels', relations([...sheetRelations, ...others]));
  parts.set('xl/styles.xml', stylesXml(model.numberFormats));
  parts.set('xl/sharedStrings.xml', stringsXml(model.strings));
  for (let sheet = 0; sheet < model.sheets.length; sheet += 1) addSheet(parts, content, sheet);
  parts.set(`xl/worksheets/sheet${count}.xml`, `${HEAD}<worksheet xmlns="${MAIN}"><sheetData/></worksheet>`);
  return storedZip(
    new Map([...parts].map(([path, part]) => [path, typeof part === 'string' ? Buffer.from(part) : part])),
  );
}

/** Returns a file without content. */
export function emptyFile(): Buffer {
  const model: WorkbookModel = {
    date1904: false,
    iteration: { enabled: false, count: 100, delta: 0.001 },
    sheets: [],
    names: [],
    tables: [],
    strings: [],
    numberFormats: ['General'],
    externalLinks: [],
    hasMacros: false,
  };
  return workbookFile({ model, overlay: new Overlay(), tables: model.tables, scope: new Scope(model) });
}

function addSheet(parts: Parts, content: FileContent, sheet: number): void {
  const own = content.tables.filter((table) => table.sheet === sheet);
  const path = `xl/worksheets/sheet${sheet + 1}.xml`;
  const ids = own.map((_, index) => `<tablePart r:id="rId${index + 1}"/>`).join('');
  const tableParts = own.length > 0 ? `<tableParts count="${own.length}">${ids}</tableParts>` : '';
  const body = sheetXml(content.model, content.scope, content.overlay, sheet);
  const start = `${HEAD}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}">`;
  parts.set(path, Buffer.concat([Buffer.from(start), body, Buffer.from(`${tableParts}</worksheet>`)]));
  if (own.length === 0) return;
  const targets = own.map((table): [string, string] => ['table', `../tables/table${numberOf(content, table)}.xml`]);
  parts.set(`xl/worksheets/_rels/sheet${sheet + 1}.xml.rels`, relations(targets));
  for (const table of own) {
    const number = numberOf(content, table);
    parts.set(`xl/tables/table${number}.xml`, tableXml(table, number));
  }
}

const numberOf = ({ tables }: FileContent, table: TableShape): number => tables.indexOf(table) + 1;

function contentTypes(sheets: number, tables: number): string {
  const override = (path: string, type: string): string =>
    `<Override PartName="/${path}" ContentType="${TYPES}.${type}+xml"/>`;
  const numbered = (count: number, path: string, type: string): string =>
    Array.from({ length: count }, (_, index) => override(`${path}${index + 1}.xml`, type)).join('');
  return (
    `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    override('xl/workbook.xml', 'sheet.main') +
    override('xl/styles.xml', 'styles') +
    override('xl/sharedStrings.xml', 'sharedStrings') +
    numbered(sheets, 'xl/worksheets/sheet', 'worksheet') +
    numbered(tables, 'xl/tables/table', 'table') +
    '</Types>'
  );
}

function relations(targets: readonly [type: string, target: string][]): string {
  const entries = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`;
}

const START = { row: 0, col: 0 };

function workbookXml({ model, tables, scope }: FileContent): string {
  const taken = new Set(model.sheets.map(({ name }) => name.toLowerCase()));
  let scratch = 'Scratch';
  while (taken.has(scratch.toLowerCase())) scratch += '_';
  const sheets = [...model.sheets.map(({ name }) => name), scratch].map(
    (name, index) => `<sheet name="${escapeAttribute(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const isResized = tables !== model.tables;
  const names = model.names
    // Skip the names that Excel itself defines: print areas, filters.
    .filter(({ name }) => !name.startsWith('_xlnm.'))
    .map(({ name, sheet, text }) => {
      const tree = isResized || text.includes('[') ? scope.nameCalled(name, sheet)?.tree : null;
      const local = sheet === null ? '' : ` localSheetId="${sheet}"`;
      const formula = tree ? printFormula(withPlainReferences(tree, scope, sheet ?? 0, START), START) : text;
      return `<definedName name="${escapeAttribute(name)}"${local}>${escapeXml(formula)}</definedName>`;
    });
  const { enabled, count, delta } = model.iteration;
  const iteration = enabled ? ` iterate="1" iterateCount="${count}" iterateDelta="${delta}"` : '';
  return (
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr${model.date1904 ? ' date1904="1"' : ''}/>` +
    `<sheets>${sheets.join('')}</sheets>` +
    (names.length > 0 ? `<definedNames>${names.join('')}</definedNames>` : '') +
    `<calcPr calcId="191029" calcMode="manual"${iteration}/></workbook>`
  );
}

/** First id of custom number formats; Excel reserves the lower ids. */
const FIRST_FORMAT = 164;

function stylesXml(formats: readonly string[]): string {
  const isGeneral = (format: string): boolean => format === 'General' || format === '';
  const own = formats.flatMap((format, index) =>
    isGeneral(format)
      ? []
      : [`<numFmt numFmtId="${FIRST_FORMAT + index}" formatCode="${escapeAttribute(encodeExcelEscapes(format))}"/>`],
  );
  const cells = formats.map((format, index) => {
    const number = isGeneral(format) ? 0 : FIRST_FORMAT + index;
    return `<xf numFmtId="${number}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;
  });
  return (
    `${HEAD}<styleSheet xmlns="${MAIN}">` +
    (own.length > 0 ? `<numFmts count="${own.length}">${own.join('')}</numFmts>` : '') +
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs></styleSheet>`
  );
}

function stringsXml(strings: readonly string[]): string {
  const items = strings.map((text) => `<si><t xml:space="preserve">${escapeXml(encodeExcelEscapes(text))}</t></si>`);
  return `${HEAD}<sst xmlns="${MAIN}" count="${items.length}" uniqueCount="${items.length}">${items.join('')}</sst>`;
}

function tableXml({ name, block, headerRows, totalsRows, columns }: TableShape, id: number): string {
  const own = columns.map(
    (column, index) => `<tableColumn id="${index + 1}" name="${escapeAttribute(encodeExcelEscapes(column.name))}"/>`,
  );
  const shown = escapeAttribute(encodeExcelEscapes(name));
  return (
    `${HEAD}<table xmlns="${MAIN}" id="${id}" name="${shown}" displayName="${shown}" ref="${formatBlock(block)}"` +
    ` headerRowCount="${headerRows}" totalsRowCount="${totalsRows}">` +
    `<tableColumns count="${own.length}">${own.join('')}</tableColumns></table>`
  );
}
