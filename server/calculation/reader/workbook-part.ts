/** Reads xl/workbook.xml: sheets, defined names, calculation settings. */
import type { ReaderLimits } from './reader-limits.ts';
import type { Relationship } from './relationships.ts';
import { checkFormulaLength } from './rich-text.ts';
import { isOfGoogle } from './saving-program.ts';
import type { ProgramTraces } from './saving-program.ts';
import type { SheetEntry } from './sheet-part.ts';
import { damaged, SAVE_AGAIN, WorkbookFileError } from './workbook-file-error.ts';
import type { DefinedName, WorkbookModel, WorkbookOrigin } from './workbook-model.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import { decodeExcelEscapes } from './xml-text.ts';

export interface WorkbookPart {
  date1904: boolean;
  iteration: WorkbookModel['iteration'];
  calculation: Omit<WorkbookOrigin, 'program' | 'programPart'>;
  saved: Pick<ProgramTraces, 'appName' | 'isOfGoogle'>;
  sheets: SheetEntry[];
  names: DefinedName[];
  /** Relationship ids of external links, in the order that formulas number them. */
  externalReferences: string[];
}

export function readWorkbookPart(
  bytes: Uint8Array,
  path: string,
  relationships: readonly Relationship[],
  limits: ReaderLimits,
): WorkbookPart {
  const workbook: WorkbookPart = {
    date1904: false,
    // The defaults of calcPr (ECMA-376 part 1, 18.2.2).
    iteration: { enabled: false, count: 100, delta: 0.001 },
    calculation: { calculatesOnLoad: false, isIncomplete: false, roundsToDisplay: false },
    saved: { appName: null, isOfGoogle: false },
    sheets: [],
    names: [],
    externalReferences: [],
  };
  const xml = new XmlScanner(bytes, path, limits);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'sheet') addSheet(xml, workbook, relationships, limits);
    else if (xml.name === 'definedName') addName(xml, workbook, limits);
    else if (xml.name === 'workbookPr') workbook.date1904 ||= xml.flag('date1904');
    else if (xml.name === 'calcPr') readCalculation(xml, workbook);
    else if (xml.name === 'workbook') workbook.saved.isOfGoogle ||= isOfGoogle(xml);
    else if (xml.name === 'fileVersion') workbook.saved.appName ??= xml.attribute('appName') ?? null;
    else if (xml.name === 'externalReference') workbook.externalReferences.push(xml.prefixedAttribute('id') ?? '');
    // Extensions reuse element names with other meanings.
    else if (xml.name === 'extLst' || xml.name === 'AlternateContent') xml.skip();
  }
  if (workbook.sheets.length === 0) throw damaged('it has no sheet');
  checkSheetNames(workbook.sheets);
  for (const name of workbook.names) if (name.sheet !== null && name.sheet >= workbook.sheets.length) name.sheet = null;
  return workbook;
}

function addSheet(
  xml: XmlScanner,
  workbook: WorkbookPart,
  relationships: readonly Relationship[],
  limits: ReaderLimits,
): void {
  if (workbook.sheets.length >= limits.sheets) {
    throw new WorkbookFileError('tooManySheets', `The workbook has more than ${limits.sheets} sheets. Split it.`);
  }
  const name = decodeExcelEscapes(xml.attribute('name') ?? '');
  const id = xml.prefixedAttribute('id') ?? xml.attribute('id');
  const state = xml.attribute('state');
  const visibility = state === 'hidden' || state === 'veryHidden' ? state : 'visible';
  // Excel 5 modules are listed among the sheets, without a part.
  if (id === undefined || id === '') {
    workbook.sheets.push({ name, part: '', visibility, isWorksheet: false });
    return;
  }
  const relationship = relationships.find((candidate) => candidate.id === id);
  if (!relationship || relationship.external) {
    throw new WorkbookFileError(
      'missingPart',
      `Sheet '${name}' is missing from the file, or is stored outside the file. ${SAVE_AGAIN}`,
    );
  }
  const isWorksheet = relationship.type === 'worksheet';
  workbook.sheets.push({ name, part: relationship.target, visibility, isWorksheet });
}

function addName(xml: XmlScanner, workbook: WorkbookPart, limits: ReaderLimits): void {
  const name = decodeExcelEscapes(xml.attribute('name') ?? '');
  const scope = xml.attribute('localSheetId');
  const hidden = xml.flag('hidden');
  const text = checkFormulaLength(xml.leaf().replace(/^=/, ''), `the name '${name}'`, limits);
  if (workbook.names.length >= limits.names) {
    throw new WorkbookFileError(
      'tooManyNames',
      `The workbook has more than ${limits.names.toLocaleString('en')} defined names. ` +
        "Delete those that are not needed in Excel's Name Manager.",
    );
  }
  const sheet = scope === undefined || !/^\d{1,9}$/.test(scope) ? null : Number(scope);
  workbook.names.push({ name, sheet, text, hidden });
}

function readCalculation(xml: XmlScanner, workbook: WorkbookPart): void {
  workbook.iteration = readIteration(xml);
  workbook.calculation = {
    calculatesOnLoad: xml.flag('fullCalcOnLoad'),
    isIncomplete: !xml.flag('calcCompleted', true),
    roundsToDisplay: !xml.flag('fullPrecision', true),
  };
}

function readIteration(xml: XmlScanner): WorkbookModel['iteration'] {
  const count = Number(xml.attribute('iterateCount') ?? 100);
  const delta = Number(xml.attribute('iterateDelta') ?? 0.001);
  return {
    enabled: xml.flag('iterate'),
    count: Number.isInteger(count) && count >= 0 && count <= 32_767 ? count : 100,
    delta: Number.isFinite(delta) && delta >= 0 ? delta : 0.001,
  };
}

function checkSheetNames(sheets: readonly SheetEntry[]): void {
  const seen = new Set<string>();
  for (const { name } of sheets) {
    const key = name.toLowerCase();
    if (seen.has(key)) {
      throw new WorkbookFileError('duplicateSheet', `Two sheets have the name '${name}'. ${SAVE_AGAIN}`);
    }
    seen.add(key);
  }
}
