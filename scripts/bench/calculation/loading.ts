/**
 * Measures how long it takes to read the sheet from an .xlsx file: our reader until the model is ready to calculate,
 * and exceljs.
 */
import { Buffer } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import ExcelJS from 'exceljs';
import yazl from 'yazl';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { CalculationModel } from '#server/calculation/engine.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { escapeAttribute, escapeXml } from '#shared/codecs/xml-escapes.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { toModel } from './sheet.ts';
import type { BenchmarkSheet, Cell } from './sheet.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Medians in milliseconds of three readings after one warm-up. */
export interface Loading {
  ours: number;
  exceljs: number;
}

export async function measureLoading(sheet: BenchmarkSheet): Promise<Loading> {
  const file = await xlsxFile(sheet);
  const ours = await median(async () => {
    createRunsheetEngine().load(readWorkbook(await openPackage(new Uint8Array(file))));
  });
  const exceljs = await median(async () => {
    await new ExcelJS.Workbook().xlsx.load(file as unknown as ExcelJS.Buffer);
  });
  return { ours, exceljs };
}

async function median(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = -1; round < 3; round += 1) {
    (globalThis as { gc?: () => void }).gc?.();
    const start = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[1]!;
}

/**
 * Builds a file that contains results, as Excel saves it. Every formula is written in full, as programs other than
 * Excel do.
 */
async function xlsxFile(sheet: BenchmarkSheet): Promise<Buffer> {
  const model = createRunsheetEngine().load(toModel(sheet));
  model.recalculate();
  const strings = new Map<string, number>();
  const zip = new yazl.ZipFile();
  const add = (path: string, text: string): void => zip.addBuffer(Buffer.from(HEAD + text), path);
  const relation = (type: string, target: string, index: number): string =>
    `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (entries: string[]): string =>
    `<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`;
  const { sheets } = sheet;
  add('_rels/.rels', relations([relation('officeDocument', 'xl/workbook.xml', 0)]));
  const parts = sheets.map((_, index) => relation('worksheet', `worksheets/sheet${index + 1}.xml`, index));
  add(
    'xl/_rels/workbook.xml.rels',
    relations([...parts, relation('sharedStrings', 'sharedStrings.xml', parts.length)]),
  );
  const names = sheets.map(
    ({ name }, index) => `<sheet name="${escapeAttribute(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  add(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${names.join('')}</sheets></workbook>`,
  );
  sheets.forEach(({ rows }, index) => {
    add(`xl/worksheets/sheet${index + 1}.xml`, sheetText(model, index, rows, strings));
  });
  const items = [...strings.keys()].map((text) => `<si><t>${escapeXml(text)}</t></si>`);
  add('xl/sharedStrings.xml', `<sst xmlns="${MAIN}" count="${items.length}">${items.join('')}</sst>`);
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const overrides = sheets.map(
    (_, index) => `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${type}.worksheet+xml"/>`,
  );
  add(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>` +
      `<Override PartName="/xl/sharedStrings.xml" ContentType="${type}.sharedStrings+xml"/>${overrides.join('')}</Types>`,
  );
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
}

function sheetText(model: CalculationModel, sheet: number, rows: Cell[][], strings: Map<string, number>): string {
  const shared = (text: string): number => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    strings.set(text, strings.size);
    return strings.size - 1;
  };
  const lines = rows.map((row, y) => {
    const cells = row.map((cell, x) => {
      const address = formatCell(y, x);
      if (typeof cell === 'number') return `<c r="${address}"><v>${cell}</v></c>`;
      if (typeof cell === 'string') return `<c r="${address}" t="s"><v>${shared(cell)}</v></c>`;
      if (cell === null) return '';
      const value = model.value(sheet, y, x);
      const text = typeof value === 'string' ? ' t="str"' : '';
      return `<c r="${address}"${text}><f>${escapeXml(cell.formula)}</f><v>${escapeXml(String(value))}</v></c>`;
    });
    return `<row r="${y + 1}" spans="1:${row.length}">${cells.join('')}</row>`;
  });
  return `<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`;
}
