/**
 * Reads metadata of cells (xl/metadata.xml): which formulas are dynamic arrays, and which values the file replaces by
 * '#VALUE!'. `cm` and `vm` of a cell are 1-based numbers of records in cellMetadata and valueMetadata. A record
 * contains the 1-based number of its type, and its index in what the file stores for that type (ECMA-376 part 1, 18.9;
 * [MS-XLSX] 2.3.4, 2.3.6).
 */
import type { ErrorCode } from '../values/cell-value.ts';
import type { ReaderLimits } from './reader-limits.ts';
import type { Relationship, WorkbookParts } from './relationships.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import { toUtf8 } from './xml-text.ts';

export interface CellMetadata {
  /** Values of `cm` that mark a dynamic array. */
  dynamicArrays: ReadonlySet<number>;
  /** By `vm`: errors newer than the format, for which the cell itself contains '#VALUE!'. */
  errors: ReadonlyMap<number, ErrorCode>;
  /**
   * By `vm`: the displayed text of cells with a linked data type (a stock, a currency pair), which also contain
   * '#VALUE!'.
   */
  names: ReadonlyMap<number, string>;
}

/** Error codes by the errorType of a rich value with the structure '_error' ([MS-XLSX] 2.3.6.1.3). */
const RICH_ERRORS: Readonly<Record<string, ErrorCode>> = {
  8: '#SPILL!',
  9: '#CONNECT!',
  10: '#BLOCKED!',
  11: '#UNKNOWN!',
  12: '#FIELD!',
  13: '#CALC!',
};

const USED_TYPES = ['XLDAPR', 'XLRICHVALUE'];

interface MetadataRecord {
  type: string;
  index: number;
}

export function readCellMetadata(
  parts: WorkbookParts,
  relationships: readonly Relationship[],
  limits: ReaderLimits,
): CellMetadata {
  const dynamicArrays = new Set<number>();
  const errors = new Map<number, ErrorCode>();
  const names = new Map<number, string>();
  const metadata = readMetadataPart(parts, relationships, limits);
  for (const [index, { type }] of metadata.cells.entries()) if (type === 'XLDAPR') dynamicArrays.add(index + 1);
  if (metadata.values.some(({ type }) => type === 'XLRICHVALUE')) {
    const rich = readRichValues(parts, relationships, limits);
    for (const [index, { type, index: valueIndex }] of metadata.values.entries()) {
      const value = type === 'XLRICHVALUE' ? rich[metadata.richValues[valueIndex] ?? -1] : undefined;
      if (value?.type === 'error') errors.set(index + 1, value.code);
      else if (value?.type === 'name') names.set(index + 1, value.text);
    }
  }
  return { dynamicArrays, errors, names };
}

/** Reads the records of cells and values, and the rich values that the entries of XLRICHVALUE point to. */
function readMetadataPart(parts: WorkbookParts, relationships: readonly Relationship[], limits: ReaderLimits) {
  const cells: MetadataRecord[] = [];
  const values: MetadataRecord[] = [];
  const richValues: number[] = [];
  const types: string[] = [];
  let section: MetadataRecord[] | null = null;
  eachElement(parts, relationships, 'sheetMetadata', limits, (xml) => {
    if (xml.name === 'metadataType') types.push(xml.attribute('name') ?? '');
    else if (xml.name.endsWith('Metadata')) section = { cellMetadata: cells, valueMetadata: values }[xml.name] ?? null;
    else if (xml.name === 'bk') section?.push({ type: '', index: -1 });
    else if (xml.name === 'rc') {
      const type = types[Number(xml.attribute('t')) - 1] ?? '';
      const record = section?.at(-1);
      // A block may contain several records; at most one of them has a type that matters here.
      if (record && USED_TYPES.includes(type)) Object.assign(record, { type, index: Number(xml.attribute('v')) });
    } else if (xml.name === 'rvb') richValues.push(Number(xml.attribute('i')));
  });
  return { cells, values, richValues };
}

type RichValue = { type: 'error'; code: ErrorCode } | { type: 'name'; text: string };

/** The keys of the relevant values of a rich value, and what each one contains. */
const KEYS = { errorType: 'error', _DisplayString: 'name', '%cvi': 'link' } as const;
const isKey = (key: string): key is keyof typeof KEYS => Object.hasOwn(KEYS, key);

/**
 * Reads errors and displayed texts of entities, by the index of their rich value. A '_linkedentity' refers by index
 * ('%cvi') to the value that has the text.
 */
function readRichValues(
  parts: WorkbookParts,
  relationships: readonly Relationship[],
  limits: ReaderLimits,
): (RichValue | undefined)[] {
  const structures = readStructures(parts, relationships, limits);
  const values: (RichValue | undefined)[] = [];
  const links = new Map<number, number>();
  let wanted: Structure | undefined;
  let count = 0;
  eachElement(parts, relationships, 'rdRichValue', limits, (xml) => {
    if (xml.name === 'rv') {
      values.push(undefined);
      wanted = structures[Number(xml.attribute('s'))];
      count = 0;
    } else if (xml.name === 'v' && wanted && count++ === wanted.position) {
      const text = xml.leaf();
      if (wanted.says === 'link') links.set(values.length - 1, Number(text));
      else values[values.length - 1] = wanted.says === 'name' ? { type: 'name', text } : richError(text);
    }
  });
  for (const [position, target] of links) if (values[target]?.type === 'name') values[position] = values[target];
  return values;
}

function richError(errorType: string): RichValue | undefined {
  const code = RICH_ERRORS[errorType.trim()];
  return code && { type: 'error', code };
}

/** The relevant value of a structure. */
interface Structure {
  position: number;
  says: (typeof KEYS)[keyof typeof KEYS];
}

function readStructures(
  parts: WorkbookParts,
  relationships: readonly Relationship[],
  limits: ReaderLimits,
): (Structure | undefined)[] {
  const structures: (Structure | undefined)[] = [];
  let isError = false;
  let keys = 0;
  eachElement(parts, relationships, 'rdRichValueStructure', limits, (xml) => {
    if (xml.name === 's') {
      structures.push(undefined);
      isError = xml.attribute('t') === '_error';
      keys = 0;
    } else if (xml.name === 'k') {
      const key = xml.attribute('n') ?? '';
      if (isKey(key) && isError === (key === 'errorType')) {
        structures[structures.length - 1] = { position: keys, says: KEYS[key] };
      }
      keys++;
    }
  });
  return structures;
}

/** Calls `visit` at the Open of each element of the part with a relationship of this type, if there is one. */
function eachElement(
  parts: WorkbookParts,
  relationships: readonly Relationship[],
  type: string,
  limits: ReaderLimits,
  visit: (xml: XmlScanner) => void,
): void {
  const relationship = relationships.find((candidate) => candidate.type === type && !candidate.external);
  const bytes = relationship && parts.part(relationship.target);
  if (!bytes) return;
  const xml = new XmlScanner(toUtf8(bytes, relationship.target), relationship.target, limits);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) if (token === XmlToken.Open) visit(xml);
}
