/** Resolves the parts of a package and their relationships (ECMA-376 part 2, 8.3 and 8.5). */
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { WorkbookFileError, SAVE_AGAIN } from './workbook-file-error.ts';
import { toUtf8 } from './xml-text.ts';

/** The unzipped parts of a workbook file. Paths have no leading slash ('xl/workbook.xml') and are case-insensitive. */
export interface WorkbookParts {
  readonly paths: readonly string[];
  part(path: string): Uint8Array | undefined;
}

export interface Relationship {
  id: string;
  /** Last segment of its type, such as 'worksheet': the rest differs between strict and transitional files. */
  type: string;
  /** Path of the part, or the address as written if it is external. */
  target: string;
  external: boolean;
}

/** Returns 'xl/_rels/workbook.xml.rels' for 'xl/workbook.xml', and '_rels/.rels' for ''. */
export function relationshipsPath(part: string): string {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/** Returns the relationships of a part ('' is the package) in order; none if it has no relationships part. */
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

/** Returns the path of a target in the relationships of `part`. Targets outside the package resolve to no part. */
function resolveTarget(part: string, target: string): string {
  const segments = target.startsWith('/') ? [] : part.split('/').slice(0, -1);
  for (const segment of target.split('/')) {
    if (segment === '..') {
      if (segments.length === 0) return '';
      segments.pop();
    } else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.join('/');
}

/** Returns a part that the workbook requires, as UTF-8. */
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

/** Returns the part that a relationship of this type leads to, as UTF-8; without bytes if there is none. */
export function optionalPart(
  parts: WorkbookParts,
  relationships: readonly Relationship[],
  type: string,
): { path: string; bytes: Uint8Array | undefined } {
  const found = relationships.find((relationship) => relationship.type === type && !relationship.external);
  const bytes = found && parts.part(found.target);
  return { path: found?.target ?? '', bytes: bytes && toUtf8(bytes, found.target) };
}
