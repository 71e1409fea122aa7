/**
 * Workbook files made to harm, deceive or confuse, and some that only look like it. All are built in memory; none is
 * larger than a few megabytes.
 */
import { Buffer } from 'node:buffer';
import type { WorkbookFileErrorCode } from '#server/calculation/reader/workbook-file-error.ts';
import { workbookParts } from '../support/build-workbook.ts';
import type { WorkbookSpec } from '../support/build-workbook.ts';
import { rawZip } from '../support/raw-zip.ts';
import type { RawEntry } from '../support/raw-zip.ts';

export interface HostileFile {
  name: string;
  bytes: Buffer;
  /** The expected error of reading it; a file without one is harmless and must be readable. */
  expectedCode?: WorkbookFileErrorCode;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const ONE_CELL: WorkbookSpec = { sheets: [{ name: 'Sheet1', cells: { A1: 1, B1: { formula: 'A1*2', value: 2 } } }] };
const SHEET1 = 'xl/worksheets/sheet1.xml';
const WORKBOOK_RELS = 'xl/_rels/workbook.xml.rels';
const MB = 1024 * 1024;

/** The whole corpus. */
export function hostileFiles(): HostileFile[] {
  return [...notWorkbooks(), ...archives(), ...hostileXml(), ...hostileSheets(), ...hostileStructures()];
}

/** Bytes that are not a zip archive, or not a complete one. */
function notWorkbooks(): HostileFile[] {
  const whole = rawZip(entriesOf(ONE_CELL));
  const compoundFile = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2040)]);
  const withStream = (name: string) => Buffer.concat([compoundFile, Buffer.from(name, 'utf16le'), Buffer.alloc(100)]);
  const directory = whole.indexOf(Buffer.from('504b0102', 'hex'));
  return [
    { name: 'empty file', bytes: Buffer.alloc(0), expectedCode: 'empty' },
    { name: 'text file', bytes: Buffer.from('a;b;c\n1;2;3\n'), expectedCode: 'notAWorkbook' },
    { name: 'web page', bytes: Buffer.from('<html><table><tr><td>1'), expectedCode: 'notAWorkbook' },
    { name: 'PDF', bytes: Buffer.from('%PDF-1.7\n'), expectedCode: 'notAWorkbook' },
    { name: 'random bytes', bytes: Buffer.from('fedcba9876543210fedcba98', 'hex'), expectedCode: 'notAWorkbook' },
    { name: 'encrypted workbook', bytes: withStream('EncryptedPackage'), expectedCode: 'passwordProtected' },
    { name: 'workbook of Excel 97', bytes: withStream('Workbook'), expectedCode: 'oldFormat' },
    { name: 'truncated after two bytes', bytes: whole.subarray(0, 2), expectedCode: 'truncated' },
    { name: 'truncated in the first part', bytes: whole.subarray(0, 60), expectedCode: 'truncated' },
    { name: 'truncated in the middle', bytes: whole.subarray(0, whole.length >> 1), expectedCode: 'truncated' },
    { name: 'truncated in the directory', bytes: whole.subarray(0, directory + 30), expectedCode: 'truncated' },
    { name: 'truncated in the last record', bytes: whole.subarray(0, -3), expectedCode: 'truncated' },
    { name: 'beginning cut off', bytes: whole.subarray(100), expectedCode: 'notAWorkbook' },
    { name: 'byte changed in the data', bytes: flipped(whole, 200), expectedCode: 'damaged' },
  ];
}

/** Archives with false information on their contents, or that try to write outside the target folder. */
function archives(): HostileFile[] {
  const base = entriesOf(ONE_CELL);
  const zeros = Buffer.alloc(64 * MB);
  const with1 = (...entries: RawEntry[]) => rawZip([...base, ...entries]);
  const many = Array.from({ length: 10_000 }, (_, index) => ({ path: `xl/media/${index}.xml`, data: '<a/>' }));
  const escape = (path: string): HostileFile => ({
    name: `path ${JSON.stringify(path)}`,
    bytes: with1({ path, data: 'x' }),
    expectedCode: 'unsafePath',
  });
  return [
    { name: 'zip bomb', bytes: with1({ path: 'xl/media/a.bmp', data: zeros }), expectedCode: 'compressionRatio' },
    {
      name: 'zip bomb with a small claimed size',
      bytes: rawZip(replaced(base, SHEET1, { data: zeros, claimedSize: 1000 })),
      expectedCode: 'damaged',
    },
    {
      name: 'part of a gigabyte, claimed',
      bytes: with1({ path: 'xl/media/a.bmp', data: zeros, claimedSize: 0xfffffff0 }),
      expectedCode: 'tooLarge',
    },
    { name: 'ten thousand entries', bytes: with1(...many), expectedCode: 'tooManyParts' },
    { name: 'entry twice', bytes: with1({ path: 'XL/workbook.xml', data: '<a/>' }), expectedCode: 'duplicatePart' },
    { name: 'more entries claimed than there are', bytes: rawZip(base, base.length + 3), expectedCode: 'truncated' },
    { name: 'entries that overlap', bytes: overlapping(base), expectedCode: 'damaged' },
    { name: 'encrypted entry', bytes: rawZip(replaced(base, SHEET1, { flags: 1 })), expectedCode: 'passwordProtected' },
    { name: 'unknown compression', bytes: rawZip(replaced(base, SHEET1, { method: 99 })), expectedCode: 'damaged' },
    { name: 'wrong checksum', bytes: rawZip(replaced(base, SHEET1, { claimedCrc: 1 })), expectedCode: 'damaged' },
    { name: 'archive without entries', bytes: rawZip([]), expectedCode: 'wrongType' },
    { name: 'archive of something else', bytes: rawZip([{ path: 'a.txt', data: 'x' }]), expectedCode: 'wrongType' },
    ...['../evil.xml', 'xl/../../evil.xml', '/etc/passwd', 'C:/evil.xml', '..\\..\\evil.xml', 'a\0b'].map(escape),
    escape(`xl/${'a'.repeat(2000)}.xml`),
    typed('binary workbook', 'application/vnd.ms-excel.sheet.binary.macroEnabled.main', 'binaryFormat'),
    typed('template', `${OPEN_XML}.spreadsheetml.template.main+xml`, 'template'),
    typed('Word document', `${OPEN_XML}.wordprocessingml.document.main+xml`, 'wrongType'),
  ];
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument';

function hostileXml(): HostileFile[] {
  const bomb =
    '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]>' +
    `<worksheet xmlns="${MAIN}"><sheetData><row r="1"><c r="A1" t="str"><v>&lol2;</v></c></row></sheetData></worksheet>`;
  const external = bomb.replace(/\[.*\]/, '[<!ENTITY lol2 SYSTEM "file:///etc/passwd">]');
  const undeclared = sheetXml('<row r="1"><c r="A1" t="str"><v>&nbsp;</v></c></row>');
  const deep = `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`;
  const part = (name: string, path: string, data: string | Uint8Array, expectedCode?: WorkbookFileErrorCode) => ({
    name,
    bytes: patched({ [path]: data }),
    expectedCode,
  });
  return [
    part('billion laughs', SHEET1, bomb, 'forbiddenXml'),
    part('billion laughs in UTF-16', SHEET1, Buffer.from(`\ufeff${bomb}`, 'utf16le'), 'forbiddenXml'),
    part('external entity', SHEET1, external, 'forbiddenXml'),
    part('external DTD', 'xl/workbook.xml', '<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>', 'forbiddenXml'),
    part('entity that is not declared', SHEET1, undeclared, 'forbiddenXml'),
    part('DTD in the content types', '[Content_Types].xml', '<!DOCTYPE a><Types/>', 'forbiddenXml'),
    part('elements nested 100,000 deep', SHEET1, deep, 'tooDeep'),
    part('elements nested deep in a relationship part', '_rels/.rels', deep, 'tooDeep'),
    part('element never closed', SHEET1, `<worksheet xmlns="${MAIN}"><sheetData><row r="1">`, 'damaged'),
    part('tag never closed', SHEET1, '<worksheet xmlns="', 'damaged'),
    part('elements closed in the wrong order', SHEET1, sheetXml('<row><c></row></c>'), 'damaged'),
    part('comment never closed', SHEET1, '<worksheet><!-- ', 'damaged'),
    part('part of NULs', SHEET1, Buffer.alloc(1000), 'damaged'),
    part('empty part', SHEET1, '', 'damaged'),
    part('element with 10,000 attributes', SHEET1, `<a ${numbered(10_000, (i) => `a${i}=""`)}/>`, 'damaged'),
    part('name of 100,000 letters', SHEET1, `<${'a'.repeat(100_000)}/>`, 'damaged'),
    part('unknown encoding', SHEET1, '<?xml version="1.0" encoding="x-secret"?><a/>', 'damaged'),
    part('CDATA and comments between cells', SHEET1, sheetXml('<!--a--><row r="1"><![CDATA[x]]><c r="A1"/></row>')),
  ];
}

function hostileSheets(): HostileFile[] {
  const cells = (name: string, row: string, expectedCode?: WorkbookFileErrorCode) => ({
    name,
    bytes: patched({ [SHEET1]: sheetXml(row) }),
    expectedCode,
  });
  const cell = (name: string, content: string, code?: WorkbookFileErrorCode) =>
    cells(name, `<row r="1">${content}</row>`, code);
  const nested = (depth: number) => `${'IF(1,'.repeat(depth)}1${')'.repeat(depth)}`;
  const corners =
    '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>' +
    '<row r="1048576"><c r="A1048576"><v>3</v></c><c r="XFD1048576"><v>4</v></c></row>';
  return [
    { name: 'huge dimension, cells at its corners', bytes: patched({ [SHEET1]: sheetXml(corners, 'A1:XFD1048576') }) },
    cells('row beyond the last', '<row r="1048577"><c><v>1</v></c></row>', 'beyondSheet'),
    cells('row 0', '<row r="0"/>', 'beyondSheet'),
    cell('column beyond the last', '<c r="XFE1"><v>1</v></c>', 'beyondSheet'),
    cell('cell with a row of its own, beyond the last', '<c r="A9999999"><v>1</v></c>', 'beyondSheet'),
    cell('address that is none', '<c r="1A"><v>1</v></c>', 'damaged'),
    cell('address of a thousand letters', `<c r="${'A'.repeat(1000)}1"><v>1</v></c>`, 'damaged'),
    cell('NaN and Infinity', '<c r="A1"><v>NaN</v></c><c r="B1"><v>Infinity</v></c><c r="C1"><v>1e999</v></c>'),
    cell('word in the place of a number', '<c r="A1"><v>seven</v></c>', 'damaged'),
    cell('hexadecimal number', '<c r="A1"><v>0x10</v></c>', 'damaged'),
    cell('unknown type', '<c r="A1" t="script"><v>1</v></c>', 'damaged'),
    cell('style out of range', '<c r="A1" s="4294967295"><v>1</v></c>'),
    cell('negative style', '<c r="A1" s="-1"><v>1</v></c>', 'damaged'),
    cell('shared text out of range', '<c r="A1" t="s"><v>7</v></c>', 'damaged'),
    cell('shared formula without its first cell', '<c r="A1"><f t="shared" si="5"/><v>1</v></c>', 'damaged'),
    cell('array formula over no range', '<c r="A1"><f t="array" ref="A1:ZZZZ9">1</f></c>', 'damaged'),
    cell('formula nested 1,000 deep', `<c r="A1"><f>${nested(1000)}</f><v>1</v></c>`),
    cell('formula nested 100,000 deep', `<c r="A1"><f>${nested(100_000)}</f><v>1</v></c>`, 'formulaTooLong'),
    cell('formula that is none', '<c r="A1"><f>)))(((</f><v>1</v></c>'),
    cells('rows and cells out of order', '<row r="2"><c r="B2"/><c r="A2"/></row><row r="1"><c r="A1"/></row>'),
    cells('same cell three times', '<row r="1"><c r="A1"><v>1</v></c></row>'.repeat(3)),
    sharedStrings('a billion shared texts claimed', '<sst count="1000000000" uniqueCount="1000000000"/>'),
  ];
}

function hostileStructures(): HostileFile[] {
  const columns = ['a', 'b'];
  const header = { A1: 'a', B1: 'b', A2: 1, B2: 2, A3: 3, B3: 4 };
  const tables = (name: string, refs: string[], expectedCode?: WorkbookFileErrorCode) => ({
    name,
    bytes: rawZip(
      entriesOf({
        sheets: [
          {
            name: 'S',
            cells: header,
            tables: refs.map((_, index) => ({ name: `T${index}`, ref: 'A1:B3', columns })),
          },
        ],
      }).map((entry) => {
        const table = /tables\/table1_(\d+)\.xml$/.exec(entry.path);
        if (!table) return entry;
        return { ...entry, data: String(entry.data).replace('ref="A1:B3"', `ref="${refs[Number(table[1]) - 1]}"`) };
      }),
    ),
    expectedCode,
  });
  const names = (name: string, list: Record<string, string>, expectedCode?: WorkbookFileErrorCode): HostileFile => ({
    name,
    bytes: rawZip(entriesOf({ ...ONE_CELL, names: list })),
    expectedCode,
  });
  const twoSheets = { sheets: [{ name: 'Data' }, { name: 'DATA' }] };
  const manyNames = `<definedNames>${'<definedName name="a">1</definedName>'.repeat(100_001)}</definedNames>`;
  const manySheets = '<sheet name="a" sheetId="1" r:id=""/>'.repeat(1001);
  return [
    tables('tables that overlap', ['A1:B3', 'B2:C4'], 'tables'),
    tables('table beyond the sheet', ['A1:B1048577'], 'beyondSheet'),
    tables('table over one corner of the other', ['A1:B3', 'C4:D6']),
    tables('table narrower than its columns', ['A1:A3'], 'tables'),
    names('names that refer to each other', { a: 'b+1', b: 'a+1', c: 'c' }),
    names('name longer than any formula', { a: '1+'.repeat(40_000) }, 'formulaTooLong'),
    { name: 'two sheets of one name', bytes: rawZip(entriesOf(twoSheets)), expectedCode: 'duplicateSheet' },
    workbook('a hundred thousand names', manyNames, 'tooManyNames'),
    workbook('a thousand sheets', manySheets, 'tooManySheets'),
    workbook('no sheet', '', 'damaged'),
    target('sheet in another file', 'file:///etc/passwd', 'missingPart'),
    target('sheet in another folder', '../../../../etc/passwd', 'missingPart'),
    target('sheet on the web', 'http://127.0.0.1:1/sheet.xml" TargetMode="External', 'missingPart'),
    missing('workbook part missing', 'xl/workbook.xml'),
    missing('sheet part missing', SHEET1),
    missing('relationships missing', WORKBOOK_RELS),
    {
      name: 'content types missing',
      bytes: rawZip(entriesOf(ONE_CELL).filter(({ path }) => path !== '[Content_Types].xml')),
      expectedCode: 'wrongType',
    },
    { name: 'external links', bytes: externalLink('file:///etc/passwd') },
    { name: 'external link to a server', bytes: externalLink('\\\\attacker\\share\\book.xlsx') },
  ];
}

function entriesOf(spec: WorkbookSpec): RawEntry[] {
  return Object.entries(workbookParts(spec)).map(([path, data]) => ({ path, data }));
}

function replaced(entries: readonly RawEntry[], path: string, change: Partial<RawEntry>): RawEntry[] {
  return entries.map((entry) => (entry.path === path ? { ...entry, ...change } : entry));
}

/** A valid small workbook with some parts replaced. */
function patched(parts: Record<string, string | Uint8Array>): Buffer {
  return rawZip(Object.entries({ ...workbookParts(ONE_CELL), ...parts }).map(([path, data]) => ({ path, data })));
}

function sheetXml(rows: string, dimension = 'A1'): string {
  return `<worksheet xmlns="${MAIN}"><dimension ref="${dimension}"/><sheetData>${rows}</sheetData></worksheet>`;
}

function workbook(name: string, inside: string, expectedCode: WorkbookFileErrorCode): HostileFile {
  const xml = `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${inside}</workbook>`;
  return { name, bytes: patched({ 'xl/workbook.xml': xml }), expectedCode };
}

function target(name: string, address: string, expectedCode: WorkbookFileErrorCode): HostileFile {
  const rels = String(workbookParts(ONE_CELL)[WORKBOOK_RELS]).replace('worksheets/sheet1.xml', address);
  return { name, bytes: patched({ [WORKBOOK_RELS]: rels }), expectedCode };
}

function missing(name: string, path: string): HostileFile {
  return {
    name,
    bytes: rawZip(entriesOf(ONE_CELL).filter((entry) => entry.path !== path)),
    expectedCode: 'missingPart',
  };
}

function typed(name: string, type: string, expectedCode: WorkbookFileErrorCode): HostileFile {
  const types = `<Types><Override PartName="/xl/workbook.xml" ContentType="${type}"/></Types>`;
  return { name, bytes: patched({ '[Content_Types].xml': types }), expectedCode };
}

function sharedStrings(name: string, xml: string): HostileFile {
  const rels = String(workbookParts(ONE_CELL)[WORKBOOK_RELS]).replace(
    '</Relationships>',
    `<Relationship Id="rIdS" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  );
  return { name, bytes: patched({ [WORKBOOK_RELS]: rels, 'xl/sharedStrings.xml': xml }) };
}

function externalLink(address: string): Buffer {
  const parts = workbookParts(ONE_CELL);
  const rels = String(parts[WORKBOOK_RELS]).replace(
    '</Relationships>',
    `<Relationship Id="rIdX" Type="${OFFICE}/externalLink" Target="externalLinks/externalLink1.xml"/></Relationships>`,
  );
  const book = String(parts['xl/workbook.xml']).replace(
    '<calcPr',
    '<externalReferences><externalReference r:id="rIdX"/></externalReferences><calcPr',
  );
  const link = `<externalLink xmlns="${MAIN}" xmlns:r="${OFFICE}"><externalBook r:id="rId1"/></externalLink>`;
  const linkRels = `<Relationships><Relationship Id="rId1" Type="${OFFICE}/externalLinkPath" Target="${address}" TargetMode="External"/></Relationships>`;
  return patched({
    [WORKBOOK_RELS]: rels,
    'xl/workbook.xml': book,
    'xl/externalLinks/externalLink1.xml': link,
    'xl/externalLinks/_rels/externalLink1.xml.rels': linkRels,
    [SHEET1]: sheetXml('<row r="1"><c r="A1"><f>[1]Sheet1!A1</f><v>1</v></c></row>'),
  });
}

/** Two directory entries that point to the same data. */
function overlapping(base: readonly RawEntry[]): Buffer {
  const bytes = rawZip([...base, { path: 'xl/media/a.xml', data: '<a/>' }, { path: 'xl/media/b.xml', data: '<a/>' }]);
  const name = bytes.lastIndexOf('xl/media/b.xml');
  const first = bytes.lastIndexOf('xl/media/a.xml');
  // The offset of the local header is the last field before the name.
  bytes.writeUInt32LE(bytes.readUInt32LE(first - 4), name - 4);
  return bytes;
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = copy[at]! ^ 0xff;
  return copy;
}

function numbered(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(' ');
}
