/** External links: other workbooks that formulas refer to. */
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
