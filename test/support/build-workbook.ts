/**
 * Builds small workbooks for tests as Excel writes them: cells with formulas and saved results, names, tables,
 * validations, notes. `workbookParts` returns the parts, for tests that change one before it is zipped.
 */
import type { Buffer } from 'node:buffer';
import { formatCell, parseBlock, parseCell } from '#shared/codecs/cell-address.ts';
import { zipParts } from './zip-parts.ts';
import type { Parts } from './zip-parts.ts';

export type CellSpec =
  | number
  | string
  | boolean
  | null
  | {
      /** The constant, or the saved result of the formula. */
      value?: number | string | boolean | null;
      /** An error value such as '#N/A'. */
      error?: string;
      formula?: string;
      /** Index into `WorkbookSpec.formats`, starting at 1. */
      style?: number;
      /** Extent of an array formula, such as 'B1:B3'; `dynamic` makes it a dynamic array. */
      array?: string;
      dynamic?: boolean;
      /** Number of a shared formula; its first cell also has `formula` and `sharedOver`. */
      shared?: number;
      sharedOver?: string;
      /** Attributes of the what-if table that starts here, such as 'ref="B2:B4" dt2D="0" dtr="0" r1="A1"'. */
      dataTable?: string;
    };

export interface TableSpec {
  name: string;
  /** The whole table, such as 'A1:C5'. The header texts must also be in the cells. */
  ref: string;
  columns: (string | { name: string; formula?: string; isArray?: boolean; totalsFormula?: string })[];
  totals?: boolean;
}

export interface ValidationSpec {
  ref: string;
  type: string;
  operator?: string;
  formula1?: string;
  formula2?: string;
  allowBlank?: boolean;
  showError?: boolean;
  errorStyle?: string;
  promptTitle?: string;
  prompt?: string;
  errorTitle?: string;
  error?: string;
}

export interface SheetSpec {
  name: string;
  state?: 'hidden' | 'veryHidden';
  cells?: Record<string, CellSpec>;
  /** Rows to hide, numbered as in Excel. */
  hiddenRows?: number[];
  /** Columns to hide, numbered from 1. */
  hiddenColumns?: number[];
  tables?: TableSpec[];
  merges?: string[];
  validations?: ValidationSpec[];
  /** By cell. */
  notes?: Record<string, string>;
  /** XML between the cells and the validations, for example conditional formats. */
  extra?: string;
}

export interface WorkbookSpec {
  sheets: SheetSpec[];
  names?: Record<string, string> | { name: string; text: string; sheet?: number; hidden?: boolean }[];
  /** Number format codes; cells refer to them by `style`, starting at 1. */
  formats?: string[];
  date1904?: boolean;
  /** Attributes of the calcPr element. */
  calculation?: string;
  /** True for an .xlsm file. */
  macros?: boolean;
  /** True to list the formulas in a calculation chain, as Excel does. */
  calcChain?: boolean;
  /** Additional parts, or replacements of generated parts. */
  parts?: Parts;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.';

/** Returns the file of a workbook. */
export async function buildWorkbook(spec: WorkbookSpec): Promise<Buffer> {
  return await zipParts(workbookParts(spec));
}

/** Returns the parts by path, not yet zipped. */
export function workbookParts(spec: WorkbookSpec): Parts {
  const parts: Parts = {};
  const overrides: [string, string][] = [];
  const relationships: string[] = [];
  const relate = (type: string, target: string) => {
    relationships.push(relationship(`rId${relationships.length + 1}`, type, target));
  };
  const main = spec.macros ? 'application/vnd.ms-excel.sheet.macroEnabled.main+xml' : `${TYPE}sheet.main+xml`;
  overrides.push(['/xl/workbook.xml', main]);
  for (const [index, sheet] of spec.sheets.entries()) {
    addSheet(parts, overrides, sheet, index + 1);
    relate('worksheet', `worksheets/sheet${index + 1}.xml`);
  }
  parts['xl/styles.xml'] = stylesXml(spec.formats ?? []);
  relate('styles', 'styles.xml');
  overrides.push(['/xl/styles.xml', `${TYPE}styles+xml`]);
  parts['xl/metadata.xml'] = METADATA;
  relate('sheetMetadata', 'metadata.xml');
  overrides.push(['/xl/metadata.xml', `${TYPE}sheetMetadata+xml`]);
  if (spec.calcChain) {
    parts['xl/calcChain.xml'] = calcChainXml(spec.sheets);
    relate('calcChain', 'calcChain.xml');
    overrides.push(['/xl/calcChain.xml', `${TYPE}calcChain+xml`]);
  }
  if (spec.macros) {
    parts['xl/vbaProject.bin'] = Uint8Array.from({ length: 300 }, (_, index) => (index * 7) % 256);
    relationships.push(
      `<Relationship Id="rIdVba" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/>`,
    );
    overrides.push(['/xl/vbaProject.bin', 'application/vnd.ms-office.vbaProject']);
  }
  return {
    '[Content_Types].xml': contentTypesXml(overrides),
    '_rels/.rels': relationshipsXml([relationship('rId1', 'officeDocument', 'xl/workbook.xml')]),
    'xl/workbook.xml': workbookXml(spec),
    'xl/_rels/workbook.xml.rels': relationshipsXml(relationships),
    ...parts,
    ...spec.parts,
  };
}

function addSheet(parts: Parts, overrides: [string, string][], sheet: SheetSpec, number: number): void {
  const path = `xl/worksheets/sheet${number}.xml`;
  const relationships: string[] = [];
  for (const [index, table] of (sheet.tables ?? []).entries()) {
    const file = `table${number}_${index + 1}.xml`;
    parts[`xl/tables/${file}`] = tableXml(table, number * 100 + index);
    overrides.push([`/xl/tables/${file}`, `${TYPE}table+xml`]);
    relationships.push(relationship(`rId${index + 1}`, 'table', `../tables/${file}`));
  }
  if (sheet.notes) {
    parts[`xl/comments${number}.xml`] = notesXml(sheet.notes);
    overrides.push([`/xl/comments${number}.xml`, `${TYPE}comments+xml`]);
    relationships.push(relationship('rIdNotes', 'comments', `../comments${number}.xml`));
  }
  parts[path] = sheetXml(sheet);
  overrides.push([`/${path}`, `${TYPE}worksheet+xml`]);
  if (relationships.length > 0) parts[`xl/worksheets/_rels/sheet${number}.xml.rels`] = relationshipsXml(relationships);
}

function sheetXml(sheet: SheetSpec): string {
  const merges = (sheet.merges ?? []).map((ref) => `<mergeCell ref="${ref}"/>`);
  const validations = (sheet.validations ?? []).map(validationXml);
  const tables = (sheet.tables ?? []).map((_, index) => `<tablePart r:id="rId${index + 1}"/>`);
  const columns = (sheet.hiddenColumns ?? []).map((col) => `<col min="${col}" max="${col}" width="0" hidden="1"/>`);
  return (
    `${HEAD}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><dimension ref="${dimension(sheet)}"/>` +
    `<sheetFormatPr defaultRowHeight="15"/>${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}<sheetData>${rowsXml(sheet)}</sheetData>` +
    list('mergeCells', merges) +
    (sheet.extra ?? '') +
    list('dataValidations', validations) +
    `<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>` +
    `${list('tableParts', tables)}</worksheet>`
  );
}

function rowsXml(sheet: SheetSpec): string {
  const rows = new Map<number, [number, string][]>();
  for (const row of sheet.hiddenRows ?? []) rows.set(row - 1, []);
  for (const [address, cell] of Object.entries(sheet.cells ?? {})) {
    const { row, col } = parseCell(address)!;
    const cells = rows.get(row) ?? [];
    rows.set(row, [...cells, [col, cellXml(formatCell(row, col), cell)]]);
  }
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([row, cells]) => {
      const hidden = sheet.hiddenRows?.includes(row + 1) ? ' hidden="1"' : '';
      const content = cells.sort(([a], [b]) => a - b).map(([, xml]) => xml);
      return `<row r="${row + 1}"${hidden}>${content.join('')}</row>`;
    })
    .join('');
}

function cellXml(address: string, spec: CellSpec): string {
  const cell = spec !== null && typeof spec === 'object' ? spec : { value: spec };
  const { formula, value = null, style, error } = cell;
  const isFormula = formula !== undefined || cell.shared !== undefined || cell.dataTable !== undefined;
  const attributes = `r="${address}"${style ? ` s="${style}"` : ''}${cell.dynamic ? ' cm="1"' : ''}`;
  const f = isFormula ? formulaXml(cell) : '';
  if (error !== undefined) return `<c ${attributes} t="e">${f}<v>${error}</v></c>`;
  if (typeof value === 'boolean') return `<c ${attributes} t="b">${f}<v>${value ? 1 : 0}</v></c>`;
  if (typeof value === 'number') return `<c ${attributes}>${f}<v>${value}</v></c>`;
  if (value === null) return f === '' ? `<c ${attributes}/>` : `<c ${attributes}>${f}</c>`;
  if (isFormula) return `<c ${attributes} t="str">${f}<v>${escape(value)}</v></c>`;
  return `<c ${attributes} t="inlineStr"><is><t xml:space="preserve">${escape(value)}</t></is></c>`;
}

function formulaXml(cell: Exclude<CellSpec, number | string | boolean | null>): string {
  const text = escape(cell.formula ?? '');
  if (cell.dataTable !== undefined) return `<f t="dataTable" ${cell.dataTable}/>`;
  if (cell.array !== undefined) return `<f t="array" ref="${cell.array}">${text}</f>`;
  if (cell.shared === undefined) return `<f>${text}</f>`;
  if (cell.sharedOver === undefined) return `<f t="shared" si="${cell.shared}"/>`;
  return `<f t="shared" ref="${cell.sharedOver}" si="${cell.shared}">${text}</f>`;
}

function dimension(sheet: SheetSpec): string {
  const positions = Object.keys(sheet.cells ?? {}).map((address) => parseCell(address)!);
  if (positions.length === 0) return 'A1';
  const from = { ...positions[0]! };
  const to = { ...from };
  for (const { row, col } of positions) {
    Object.assign(from, { row: Math.min(from.row, row), col: Math.min(from.col, col) });
    Object.assign(to, { row: Math.max(to.row, row), col: Math.max(to.col, col) });
  }
  return `${formatCell(from.row, from.col)}:${formatCell(to.row, to.col)}`;
}

function validationXml(spec: ValidationSpec): string {
  const attributes = [
    `type="${spec.type}"`,
    spec.operator && `operator="${spec.operator}"`,
    spec.errorStyle && `errorStyle="${spec.errorStyle}"`,
    spec.allowBlank && 'allowBlank="1"',
    spec.showError !== false && 'showErrorMessage="1"',
    spec.errorTitle && `errorTitle="${escape(spec.errorTitle)}"`,
    spec.error && `error="${escape(spec.error)}"`,
    spec.promptTitle && `promptTitle="${escape(spec.promptTitle)}"`,
    spec.prompt && `showInputMessage="1" prompt="${escape(spec.prompt)}"`,
    `sqref="${spec.ref}"`,
  ];
  const formulas = [spec.formula1, spec.formula2].map((formula, index) =>
    formula === undefined ? '' : `<formula${index + 1}>${escape(formula)}</formula${index + 1}>`,
  );
  return `<dataValidation ${attributes.filter(Boolean).join(' ')}>${formulas.join('')}</dataValidation>`;
}

function tableXml(table: TableSpec, id: number): string {
  const block = parseBlock(table.ref)!;
  const filterBottom = table.totals ? block.bottom - 1 : block.bottom;
  const filter = `${formatCell(block.top, block.left)}:${formatCell(filterBottom, block.right)}`;
  const columns = table.columns.map((spec, index) => {
    const column = typeof spec === 'string' ? { name: spec } : spec;
    const array = column.isArray ? ' array="1"' : '';
    const calculated =
      column.formula && `<calculatedColumnFormula${array}>${escape(column.formula)}</calculatedColumnFormula>`;
    const totals = column.totalsFormula && `<totalsRowFormula>${escape(column.totalsFormula)}</totalsRowFormula>`;
    const custom = totals ? ' totalsRowFunction="custom"' : '';
    const name = escape(column.name).replaceAll('\n', '_x000a_');
    return `<tableColumn id="${index + 1}" name="${name}"${custom}>${calculated ?? ''}${totals ?? ''}</tableColumn>`;
  });
  const totalsAttribute = table.totals ? 'totalsRowCount="1"' : 'totalsRowShown="0"';
  return (
    `${HEAD}<table xmlns="${MAIN}" id="${id}" name="${table.name}" displayName="${table.name}" ref="${table.ref}" ` +
    `${totalsAttribute}><autoFilter ref="${filter}"/><tableColumns count="${columns.length}">${columns.join('')}` +
    '</tableColumns><tableStyleInfo name="TableStyleMedium2" showRowStripes="1"/></table>'
  );
}

function notesXml(notes: Record<string, string>): string {
  const comments = Object.entries(notes).map(
    ([ref, text]) => `<comment ref="${ref}" authorId="0"><text><r><t>${escape(text)}</t></r></text></comment>`,
  );
  return `${HEAD}<comments xmlns="${MAIN}"><authors><author>A</author></authors>${list('commentList', comments)}</comments>`;
}

function workbookXml(spec: WorkbookSpec): string {
  const sheets = spec.sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${escape(name)}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  );
  const names = Array.isArray(spec.names)
    ? spec.names
    : Object.entries(spec.names ?? {}).map(([name, text]) => ({ name, text, sheet: undefined, hidden: false }));
  const definedNames = names.map(({ name, text, sheet, hidden }) => {
    const scope = sheet === undefined ? '' : ` localSheetId="${sheet}"`;
    return `<definedName name="${name}"${scope}${hidden ? ' hidden="1"' : ''}>${escape(text)}</definedName>`;
  });
  return (
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${spec.date1904 ? ' date1904="1"' : ''}/>` +
    `${list('sheets', sheets)}${list('definedNames', definedNames)}` +
    `<calcPr calcId="191029"${spec.calculation ? ` ${spec.calculation}` : ''}/></workbook>`
  );
}

function stylesXml(formats: readonly string[]): string {
  const codes = formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escape(code)}"/>`);
  const cells = formats.map(
    (_, index) => `<xf numFmtId="${164 + index}" fontId="0" fillId="0" borderId="0" xfId="0"/>`,
  );
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';
  return (
    `${HEAD}<styleSheet xmlns="${MAIN}">${list('numFmts', codes)}<fonts count="1"><font><sz val="11"/><name val="Calibri"/>` +
    '</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/>' +
    '</fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
    `<cellXfs count="${cells.length + 1}">${plain}${cells.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
}

/** A single record, to which `cm="1"` of dynamic array formulas refers. */
const METADATA =
  `${HEAD}<metadata xmlns="${MAIN}" xmlns:xda="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray">` +
  '<metadataTypes count="1"><metadataType name="XLDAPR" minSupportedVersion="120000" copy="1" pasteAll="1" ' +
  'pasteValues="1" merge="1" splitFirst="1" rowColShift="1" clearFormats="1" clearComments="1" assign="1" coerce="1" ' +
  'cellMeta="1"/></metadataTypes><futureMetadata name="XLDAPR" count="1"><bk><extLst>' +
  '<ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}"><xda:dynamicArrayProperties fDynamic="1" fCollapsed="0"/></ext>' +
  '</extLst></bk></futureMetadata><cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata></metadata>';

function calcChainXml(sheets: readonly SheetSpec[]): string {
  const cells = sheets.flatMap(({ cells = {} }, index) =>
    Object.entries(cells)
      .filter(([, cell]) => cell !== null && typeof cell === 'object' && (cell.formula ?? cell.shared) !== undefined)
      .map(([address]) => `<c r="${address}" i="${index + 1}"/>`),
  );
  return `${HEAD}<calcChain xmlns="${MAIN}">${cells.join('')}</calcChain>`;
}

function contentTypesXml(overrides: readonly [string, string][]): string {
  const items = overrides.map(([path, type]) => `<Override PartName="${path}" ContentType="${type}"/>`);
  return (
    `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${items.join('')}</Types>`
  );
}

function relationship(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

function relationshipsXml(relationships: readonly string[]): string {
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${relationships.join('')}</Relationships>`;
}

function list(element: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `<${element} count="${items.length}">${items.join('')}</${element}>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
