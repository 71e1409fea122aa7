/** Adds parts to a workbook file, and edits the lists that name its parts. All other bytes stay. */
import { posix } from 'node:path';
import { relationshipsPath } from '#server/calculation/reader/relationships.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { escapeAttribute } from '#shared/codecs/xml-escapes.ts';
import { encodeUtf8, toUtf8 } from '#server/calculation/reader/xml-text.ts';
import { applyEdits } from '../byte-edits.ts';
import { CONTENT_TYPES } from '../content-types.ts';
import type { WorkbookPackage } from '../package.ts';
import { withoutElements } from '../part-edits.ts';

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The edits of a file: its changed, added and omitted parts, by path. */
export class PackageEdits {
  /** By lower-case path; null for an omitted part. */
  readonly changed = new Map<string, Uint8Array | null>();
  /** New parts by path. */
  readonly added = new Map<string, Uint8Array>();
  private readonly source: WorkbookPackage;

  constructor(source: WorkbookPackage) {
    this.source = source;
  }

  /** Returns the current content of the part, as UTF-8; undefined if there is none. */
  part(path: string): Uint8Array | undefined {
    const key = path.toLowerCase();
    const changed = this.changed.get(key);
    if (changed === null) return undefined;
    const bytes = changed ?? this.added.get(path) ?? this.source.part(path);
    return bytes && toUtf8(bytes, path);
  }

  set(path: string, bytes: Uint8Array): void {
    const exists = this.source.paths.some((one) => one.toLowerCase() === path.toLowerCase());
    if (exists) this.changed.set(path.toLowerCase(), bytes);
    else this.added.set(path, bytes);
  }

  /** Returns an unused path: 'xl/tables/table7.xml' for 'xl/tables/table' and '.xml'. */
  freePath(before: string, after: string): string {
    const taken = new Set([...this.source.paths, ...this.added.keys()].map((path) => path.toLowerCase()));
    for (let number = 1; ; number++) {
      const path = `${before}${number}${after}`;
      if (!taken.has(path.toLowerCase())) return path;
    }
  }

  add(path: string, xml: string, contentType: string): void {
    this.added.set(path, encodeUtf8(xml));
    this.insertInRoot(CONTENT_TYPES, (prefix) => {
      return `<${prefix}Override PartName="/${escapeAttribute(path)}" ContentType="${contentType}"/>`;
    });
  }

  /** Omits a part and its content type. Remove the relationship to it with `removeElements`. */
  leaveOut(path: string): void {
    this.changed.set(path.toLowerCase(), null);
    const name = `/${path}`.toLowerCase();
    this.removeElements(
      CONTENT_TYPES,
      (xml) => xml.name === 'Override' && xml.attribute('PartName')?.toLowerCase() === name,
    );
    const own = relationshipsPath(path);
    if (this.part(own)) this.changed.set(own.toLowerCase(), null);
  }

  /** Adds a relationship from `part` to the part `target`, and returns its id. */
  relate(part: string, type: string, target: string): string {
    const path = relationshipsPath(part);
    if (!this.part(path))
      this.set(
        path,
        encodeUtf8(
          `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${RELATIONSHIPS}"></Relationships>`,
        ),
      );
    const taken = new Set<string>();
    this.eachElement(path, (xml) => {
      if (xml.name === 'Relationship') taken.add(xml.attribute('Id') ?? '');
    });
    let number = taken.size + 1;
    while (taken.has(`rId${number}`)) number += 1;
    const id = `rId${number}`;
    // Relative, because ExcelJS and other programs do not find the parts of absolute targets, which are valid too.
    const to = escapeAttribute(posix.relative(posix.dirname(part), target));
    this.insertInRoot(path, (prefix) => `<${prefix}Relationship Id="${id}" Type="${type}" Target="${to}"/>`);
    return id;
  }

  removeElements(path: string, matches: (xml: XmlScanner) => boolean): void {
    const bytes = this.part(path);
    const reduced = bytes && withoutElements(bytes, path, matches);
    if (reduced) this.set(path, reduced);
  }

  eachElement(path: string, take: (xml: XmlScanner) => void): void {
    const bytes = this.part(path);
    if (!bytes) return;
    const xml = new XmlScanner(bytes, path);
    for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) if (token === XmlToken.Open) take(xml);
  }

  /** Sets an existing attribute of the first element with that name. */
  setAttribute(path: string, element: string, name: string, value: string): void {
    const bytes = this.part(path)!;
    const xml = new XmlScanner(bytes, path);
    for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
      if (token !== XmlToken.Open || xml.name !== element) continue;
      const index = xml.attributeIndex(name);
      if (index >= 0)
        this.set(
          path,
          applyEdits(bytes, [{ start: xml.valueStarts[index]!, end: xml.valueEnds[index]!, text: value }]),
        );
      return;
    }
  }

  /** Inserts an element at the end of the root. `element` receives the prefix of the root ('x:' or ''). */
  private insertInRoot(path: string, element: (prefix: string) => string): void {
    const bytes = this.part(path)!;
    const xml = new XmlScanner(bytes, path);
    for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
      if (xml.depth !== 1 || token === XmlToken.Text) continue;
      const prefix = xml.qualifiedName.slice(0, -xml.name.length);
      if (token === XmlToken.Open && xml.selfClosing) {
        // The self-closing <Relationships/> becomes a pair of tags.
        const text = `>${element(prefix)}</${xml.qualifiedName}>`;
        return this.set(path, applyEdits(bytes, [{ start: bytes.lastIndexOf(0x2f, xml.end), end: xml.end, text }]));
      }
      if (token === XmlToken.Close)
        return this.set(path, applyEdits(bytes, [{ start: xml.start, end: xml.start, text: element(prefix) }]));
    }
  }
}
