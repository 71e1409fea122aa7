/** Parts of a package and how they point to each other (ECMA-376 part 2, 8.3 and 8.5). */
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { WorkbookFileError, SAVE_AGAIN } from './workbook-file-error.ts';
import { toUtf8 } from './xml-text.ts';

/** The parts of a workbook file, unzipped; paths without a leading slash ('xl/workbook.xml'), upper and lower case alike. */
export interface WorkbookParts {
  readonly paths: readonly string[];
  part(path: string): Uint8Array | undefined;
}

export interface Relationship {
  id: string;
  /** The last segment of its type, 'worksheet': the rest differs between strict and transitional files. */
  type: string;
  /** Path of the part, or the address as written where it is external. */
  target: string;
  external: boolean;
}

/** 'xl/_rels/workbook.xml.rels' for 'xl/workbook.xml'; '_rels/.rels' for ''. */
export function relationshipsPath(part: string): string {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/** Relationships of a part ('' is the package), in their order; none where it has no relationships part. */
export function readRelationships(parts: WorkbookParts, part: string, limits: ReaderLimits): Relationship[] {
  const path = relationshipsPath(part);
  const bytes = parts.part(path);
  if (!bytes) return [];
  const relationships: Relationship[] = [];
  const xml = new XmlScanner(toUtf8(bytes, path), path, limits);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open || xml.name !== 'Relationship') continue;
    const target = xml.attribute('Target') ?? '';
    const external = xml.attribute('TargetMode') === 'External';
    const type = xml.attribute('Type') ?? '';
    relationships.push({
      id: xml.attribute('Id') ?? '',
      type: type.slice(type.lastIndexOf('/') + 1),
      target: external ? target : resolveTarget(part, target),
      external,
    });
  }
  return relationships;
}

/** Path of a target written in the relationships of `part`. What would leave the package resolves to no part. */
export function resolveTarget(part: string, target: string): string {
  const segments = target.startsWith('/') ? [] : part.split('/').slice(0, -1);
  for (const segment of target.split('/')) {
    if (segment === '..') {
      if (segments.length === 0) return '';
      segments.pop();
    } else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.join('/');
}

/** A part the workbook cannot do without, as UTF-8. */
export function requirePart(parts: WorkbookParts, path: string, what: string): Uint8Array {
  const bytes = path === '' ? undefined : parts.part(path);
  if (bytes) return toUtf8(bytes, path);
  throw new WorkbookFileError(
    'missingPart',
    `The workbook is incomplete: ${what} is missing from the file${path === '' ? '' : ` (${shown(path)})`}. ${SAVE_AGAIN}`,
  );
}

function shown(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path;
}

/** The part a relationship of this type leads to, as UTF-8; without bytes where there is none. */
export function optionalPart(
  parts: WorkbookParts,
  relationships: readonly Relationship[],
  type: string,
): { path: string; bytes: Uint8Array | undefined } {
  const found = relationships.find((relationship) => relationship.type === type && !relationship.external);
  const bytes = found && parts.part(found.target);
  return { path: found?.target ?? '', bytes: bytes && toUtf8(bytes, found.target) };
}
