/**
 * Changes one cell of a sheet part. The cell's attributes, formula and extensions stay unless the change replaces them.
 */
import type { XmlScanner } from '#server/calculation/reader/xml-scanner.ts';
import { XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { escapeXml } from '#shared/codecs/xml-escapes.ts';
import { decodeUtf8 } from '#server/calculation/reader/xml-text.ts';
import type { ByteEdit } from './byte-edits.ts';
import { refOf, valueXml } from './cell-xml.ts';
import type { CellChange } from './cell-xml.ts';

interface OldCell {
  start: number;
  end: number;
  name: string;
  attributes: { name: string; raw: string }[];
  /** The <f> element's attributes and text, both as in the file. */
  formula: { attributes: { name: string; raw: string }[]; text: string } | null;
  /** <v> or <is>, as in the file. */
  value: string;
  /** Extensions. */
  rest: string;
}

/** Call at the Open of <c>. Moves to its Close, and returns the edit that changes the cell. */
export function editCell(xml: XmlScanner, change: CellChange, prefix: string, row: number, col: number): ByteEdit {
  const cell = readOldCell(xml);
  const hasFormula = change.formula === undefined ? cell.formula !== null : change.formula !== null;
  const value = change.value === undefined ? null : valueXml(change.value, hasFormula, prefix, row, col);
  const attributes = cell.attributes.filter(({ name }) => {
    if (name === 't' || name === 'vm') return value === null;
    if (name === 's') return change.style === undefined;
    // `cm` marks the formula as a dynamic array, so it is dropped if that formula goes.
    return name !== 'cm' || (hasFormula && isArray(cell) && change.metadata === undefined);
  });
  if (change.style !== undefined && change.style > 0) attributes.push({ name: 's', raw: `s="${change.style}"` });
  if (value !== null && value.type !== '') attributes.push({ name: 't', raw: `t="${value.type}"` });
  if (hasFormula && change.metadata !== undefined) attributes.push({ name: 'cm', raw: `cm="${change.metadata}"` });
  const inside = formulaXml(cell, change, prefix) + (value === null ? cell.value : value.content) + cell.rest;
  const tag = [cell.name, ...attributes.map(({ raw }) => raw)].join(' ');
  const text = inside === '' ? `<${tag}/>` : `<${tag}>${inside}</${cell.name}>`;
  return { start: cell.start, end: cell.end, text };
}

function isArray(cell: OldCell): boolean {
  return cell.formula?.attributes.some(({ raw }) => /^t\s*=\s*["']array["']$/.test(raw)) ?? false;
}

function formulaXml(cell: OldCell, change: CellChange, prefix: string): string {
  if (change.formula === null || (change.formula === undefined && !cell.formula)) return '';
  const old = cell.formula;
  let attributes = old?.attributes ?? [];
  // A formula with its own text leaves its group of shared formulas.
  if (change.formula !== undefined && !isArray(cell)) {
    attributes = attributes.filter(({ name }) => !['t', 'si', 'ref'].includes(name));
  }
  if (change.arrayBlock) {
    attributes = [
      { name: 't', raw: 't="array"' },
      { name: 'ref', raw: `ref="${refOf(change.arrayBlock)}"` },
      ...attributes.filter(({ name }) => name !== 't' && name !== 'ref'),
    ];
  }
  const text = change.formula === undefined ? (old?.text ?? '') : escapeXml(change.formula);
  const tag = [`${prefix}f`, ...attributes.map(({ raw }) => raw)].join(' ');
  return text === '' ? `<${tag}/>` : `<${tag}>${text}</${prefix}f>`;
}

function readOldCell(xml: XmlScanner): OldCell {
  const cell: OldCell = {
    start: xml.start,
    end: 0,
    name: xml.qualifiedName,
    attributes: rawAttributes(xml),
    formula: null,
    value: '',
    rest: '',
  };
  const depth = xml.depth;
  for (;;) {
    const token = xml.next();
    if (token === XmlToken.Close && xml.depth === depth) break;
    if (token === XmlToken.Open) readChild(xml, cell);
  }
  cell.end = xml.end;
  return cell;
}

function readChild(xml: XmlScanner, cell: OldCell): void {
  const { start, end, name, selfClosing } = xml;
  const attributes = rawAttributes(xml);
  xml.skip();
  if (name === 'f') {
    const text = selfClosing ? '' : decodeUtf8(xml.bytes, end, xml.start);
    cell.formula = { attributes, text };
    return;
  }
  const raw = decodeUtf8(xml.bytes, start, xml.end);
  if (name === 'v' || name === 'is') cell.value += raw;
  else cell.rest += raw;
}

function rawAttributes(xml: XmlScanner): { name: string; raw: string }[] {
  return Array.from({ length: xml.attributeCount }, (_, index) => ({
    name: xml.attributeName(index),
    raw: decodeUtf8(xml.bytes, xml.attributeNameStarts[index]!, xml.valueEnds[index]! + 1),
  }));
}
