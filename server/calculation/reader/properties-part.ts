/** Reads docProps/app.xml: the program that saved the file, and its language. */
import type { ReaderLimits } from './reader-limits.ts';
import { optionalPart, readRelationships } from './relationships.ts';
import type { WorkbookParts } from './relationships.ts';
import { WorkbookFileError } from './workbook-file-error.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';

export interface WorkbookProperties {
  /** Null if the part does not say. */
  program: string | null;
  headings: string[];
}

const MAX_HEADINGS = 20;

/** Reads as much of the part as possible. Its errors are ignored, because the calculation does not depend on it. */
export function readProperties(parts: WorkbookParts, limits: ReaderLimits): WorkbookProperties {
  const properties: WorkbookProperties = { program: null, headings: [] };
  try {
    const part = optionalPart(parts, readRelationships(parts, '', limits), 'extended-properties');
    if (part.bytes) take(new XmlScanner(part.bytes, part.path, limits), properties);
  } catch (error) {
    if (!(error instanceof WorkbookFileError)) throw error;
  }
  return properties;
}

function take(xml: XmlScanner, properties: WorkbookProperties): void {
  let inHeadings = false;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (xml.name === 'HeadingPairs') inHeadings = token === XmlToken.Open;
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'Application') properties.program ??= xml.leaf().trim() || null;
    else if (xml.name === 'TitlesOfParts') xml.skip();
    else if (inHeadings && xml.name === 'lpstr' && properties.headings.length < MAX_HEADINGS) {
      properties.headings.push(xml.leaf());
    }
  }
}
