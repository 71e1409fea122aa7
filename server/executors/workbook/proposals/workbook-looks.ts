/** What proposals need from a file in addition to its model: the looks of cells, and the cells that charts show. */
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { toUtf8 } from '#server/calculation/reader/xml-text.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import { chartParts } from '../charts/chart-parts.ts';
import { parseReference, ReferenceAreas } from '../charts/reference-areas.ts';
import type { WorkbookPackage } from '../package.ts';
import { readCellStyles } from './cell-styles.ts';
import type { CellStyle } from './cell-styles.ts';

export interface WorkbookLooks {
  /** By style index; a missing style is plain. */
  styles: readonly CellStyle[];
  /** Cells that charts show. */
  charted: readonly SheetBlock[];
}

/** Maximum number of chart references read. */
const MAX_REFERENCES = 2_000;

/** Ignores chart or styles parts that cannot be read, because the workbook itself was read without them. */
export function readLooks(source: WorkbookPackage, model: WorkbookModel): WorkbookLooks {
  return {
    styles: orElse(() => readCellStyles(source), []),
    charted: orElse(() => chartedBlocks(source, model), []),
  };
}

function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WorkbookFileError) return otherwise;
    throw error;
  }
}

function chartedBlocks(source: WorkbookPackage, model: WorkbookModel): SheetBlock[] {
  const areas = new ReferenceAreas(model, []);
  const blocks: SheetBlock[] = [];
  let left = MAX_REFERENCES;
  for (const { path } of chartParts(source, model)) {
    const bytes = source.part(path);
    if (!bytes) continue;
    const xml = new XmlScanner(toUtf8(bytes, path), path, READER_LIMITS);
    for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
      if (token !== XmlToken.Open || xml.name !== 'f') continue;
      if (left-- <= 0) return blocks;
      const tree = parseReference(xml.leaf().replace(/^=/, ''));
      blocks.push(...((tree && areas.of(tree)) ?? []));
    }
  }
  return blocks;
}
