/**
 * Validates a new workbook against the schemas that Excel uses. If an element is out of place or a part is missing,
 * Excel repairs the file. Source: ECMA-376 part 1, 18; part 2, 10.
 */
import { posix } from 'node:path';
import { SaxesParser } from 'saxes';
import { openPackage } from '#server/executors/workbook/package.ts';
import { orderProblems, type Sequences } from './element-order.ts';

const SEQUENCES: Sequences = {
  workbook: ['workbookPr', 'bookViews', 'sheets', 'definedNames', 'calcPr'],
  worksheet: [
    'sheetPr',
    'dimension',
    'sheetViews',
    'sheetFormatPr',
    'cols',
    'sheetData',
    'dataValidations',
    'pageMargins',
    'pageSetup',
    'legacyDrawing',
  ],
  sheetView: ['pane', 'selection*'],
  cols: ['col*'],
  sheetData: ['row*'],
  row: ['c*'],
  c: ['f', 'v', 'is'],
  dataValidations: ['dataValidation*'],
  dataValidation: ['formula1', 'formula2'],
  styleSheet: ['numFmts', 'fonts', 'fills', 'borders', 'cellStyleXfs', 'cellXfs', 'cellStyles'],
  border: ['left', 'right', 'top', 'bottom', 'diagonal'],
  comments: ['authors', 'commentList'],
};
/** Lists that must not be empty, and those that state their length. */
const NOT_EMPTY = new Set(['sheets', 'cols', 'dataValidations', 'fonts', 'fills', 'cellXfs', 'commentList']);

/** Returns what Excel would repair; empty if the workbook is valid. */
export async function workbookProblems(bytes: Uint8Array): Promise<string[]> {
  const opened = await openPackage(bytes);
  const { paths } = opened;
  const text = (path: string): string => new TextDecoder('utf-8', { fatal: true }).decode(opened.part(path));
  const types = text('[Content_Types].xml');
  const problems: string[] = [];
  for (const path of paths) {
    problems.push(...elementProblems(path, text(path)));
    const isKnown = /\.(rels|vml)$/.test(path) || path.startsWith('[') || types.includes(`PartName="/${path}"`);
    if (!isKnown) problems.push(`${path} has no content type`);
    if (path.endsWith('.rels')) problems.push(...targetProblems(path, text(path), paths));
  }
  return problems;
}

function targetProblems(path: string, xml: string, paths: readonly string[]): string[] {
  const folder = posix.dirname(posix.dirname(path));
  return [...xml.matchAll(/Target="([^"]+)"/g)]
    .map(([, target]) => posix.join(folder, target!))
    .filter((target) => !paths.includes(target))
    .map((target) => `${path} names ${target}, which does not exist`);
}

function elementProblems(path: string, xml: string): string[] {
  const problems: string[] = [];
  const open: { name: string; count: string | undefined; children: string[] }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => problems.push(error.message));
  parser.on('opentag', ({ name, attributes }) => {
    open.at(-1)?.children.push(name);
    open.push({ name, count: attributes['count'], children: [] });
  });
  parser.on('closetag', () => {
    const { name, count, children } = open.pop()!;
    problems.push(...orderProblems(SEQUENCES, name, children));
    if (NOT_EMPTY.has(name) && children.length === 0) problems.push(`${name} is empty`);
    if (count !== undefined && Number(count) !== children.length) problems.push(`${name} has not ${count} elements`);
  });
  parser.write(xml).close();
  return problems.map((problem) => `${path}: ${problem}`);
}
