/** What surrounds the sheets: external links and the metadata of cells. */
import { readRelationships } from './relationships.ts';
import type { Relationship, WorkbookParts } from './relationships.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import { toUtf8 } from './xml-text.ts';

/** Targets of the external links, in the order of `references`: texts for reports, never opened. */
export function readExternalLinks(
  parts: WorkbookParts,
  references: readonly string[],
  relationships: readonly Relationship[],
  limits: ReaderLimits,
): string[] {
  return references.map((id) => {
    const link = relationships.find((relationship) => relationship.id === id);
    if (!link) return '';
    return link.external ? link.target : readExternalTarget(parts, link.target, limits);
  });
}

function readExternalTarget(parts: WorkbookParts, path: string, limits: ReaderLimits): string {
  const bytes = parts.part(path);
  if (!bytes) return '';
  const relationships = readRelationships(parts, path, limits);
  const xml = new XmlScanner(toUtf8(bytes, path), path, limits);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'externalBook' || xml.name === 'oleLink') {
      const id = xml.prefixedAttribute('id');
      return relationships.find((relationship) => relationship.id === id)?.target ?? '';
    }
    if (xml.name === 'ddeLink') return `${xml.attribute('ddeService') ?? ''}|${xml.attribute('ddeTopic') ?? ''}`;
  }
  return '';
}

/**
 * Which values of a cell's `cm` attribute mark a dynamic array: they count the records of <cellMetadata> from 1, and a
 * record points to its type, also counted from 1 (ECMA-376 part 1, 18.9; [MS-XLSX] 2.6.173 for XLDAPR).
 */
export function readDynamicArrays(bytes: Uint8Array | undefined, path: string, limits: ReaderLimits): Set<number> {
  const dynamic = new Set<number>();
  if (!bytes) return dynamic;
  const types: string[] = [];
  const xml = new XmlScanner(toUtf8(bytes, path), path, limits);
  let record = 0;
  let inCells = false;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (xml.name === 'cellMetadata') inCells = token === XmlToken.Open;
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'metadataType') types.push(xml.attribute('name') ?? '');
    else if (inCells && xml.name === 'bk') record++;
    else if (inCells && xml.name === 'rc' && types[Number(xml.attribute('t')) - 1] === 'XLDAPR') dynamic.add(record);
  }
  return dynamic;
}
