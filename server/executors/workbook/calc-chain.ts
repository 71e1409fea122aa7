/**
 * The calculation chain lists the cells with formulas. Excel rebuilds a missing chain, but a wrong one makes it repair
 * the file.
 */
import { relationshipsPath, readRelationships } from '#server/calculation/reader/relationships.ts';
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import type { XmlScanner } from '#server/calculation/reader/xml-scanner.ts';
import { toUtf8 } from '#server/calculation/reader/xml-text.ts';
import { CONTENT_TYPES } from './content-types.ts';
import type { WorkbookPackage } from './package.ts';
import { withoutElements } from './part-edits.ts';

/** Removes the chain, its relationship and its content type. `workbook` is the path of the workbook part. */
export function dropCalcChain(
  source: WorkbookPackage,
  workbook: string,
  changed: Map<string, Uint8Array | null>,
): void {
  const chain = readRelationships(source, workbook, READER_LIMITS).find(({ type }) => type === 'calcChain');
  if (!chain) return;
  changed.set(chain.target.toLowerCase(), null);
  const rels = relationshipsPath(workbook);
  removeElements(source, changed, rels, (xml) => xml.name === 'Relationship' && xml.attribute('Id') === chain.id);
  const part = `/${chain.target}`.toLowerCase();
  removeElements(
    source,
    changed,
    CONTENT_TYPES,
    (xml) => xml.name === 'Override' && xml.attribute('PartName')?.toLowerCase() === part,
  );
}

function removeElements(
  source: WorkbookPackage,
  changed: Map<string, Uint8Array | null>,
  path: string,
  matches: (xml: XmlScanner) => boolean,
): void {
  const part = source.part(path);
  if (!part) return;
  const reduced = withoutElements(toUtf8(part, path), path, matches);
  if (reduced) changed.set(path.toLowerCase(), reduced);
}
