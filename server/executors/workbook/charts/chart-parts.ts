/**
 * Finds the charts of a workbook: those on sheets, and chart sheets (ECMA-376 part 1, 12.3.2, 12.3.8; MS-ODRAWXML
 * 2.1.3).
 */
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { readRelationships } from '#server/calculation/reader/relationships.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { WorkbookPackage } from '../package.ts';

export interface ChartPart {
  path: string;
  /** Name of the sheet that shows the chart. */
  sheet: string;
}

const CHARTS: ReadonlySet<string> = new Set(['chart', 'chartEx']);

const known = new WeakMap<WorkbookPackage, ChartPart[]>();

/** Returns each chart once, in the order of the sheets. Results are cached per package. */
export function chartParts(source: WorkbookPackage, model: WorkbookModel): ChartPart[] {
  let charts = known.get(source);
  if (!charts) known.set(source, (charts = findCharts(source, model)));
  return charts;
}

function findCharts(source: WorkbookPackage, model: WorkbookModel): ChartPart[] {
  const found = new Map<string, ChartPart>();
  const targets = (part: string, types: ReadonlySet<string>): string[] =>
    readRelationships(source, part, READER_LIMITS)
      .filter(({ type, external }) => types.has(type) && !external)
      .map(({ target }) => target);
  for (const { name, part } of model.sheets) {
    for (const drawing of targets(part, new Set(['drawing']))) {
      for (const path of targets(drawing, CHARTS)) {
        if (!found.has(path.toLowerCase())) found.set(path.toLowerCase(), { path, sheet: name });
      }
    }
  }
  return [...found.values()];
}
