/**
 * Refuses results that a run would leave as they were saved: a run does not refresh pivot tables, whatever it writes
 * into their sources.
 */
import type { CalculationModel } from '#server/calculation/engine.ts';
import { precedents } from '#server/calculation/graph/precedents.ts';
import { Scope } from '#server/calculation/graph/scope.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import type { PivotSource, PivotTable, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { StepDefinition } from '#server/executors/activity-definition.ts';
import { formatCell, MAX_COLS, MAX_ROWS, parseBlock } from '#shared/codecs/cell-address.ts';
import { NO_CELL, parseReference, ReferenceAreas } from '../charts/reference-areas.ts';
import { resolveArea, sheetIndex } from './areas.ts';
import { formatArea } from './blocks.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import type { Draft } from './parameters.ts';
import { createOriginFinder } from './dependent-cells.ts';
import type { FindOrigin } from './dependent-cells.ts';
import type { ReadCells } from './watched-cells.ts';

export interface PivotReaders {
  inputs: readonly Draft[];
  steps: readonly StepDefinition[];
  read: readonly ReadCells[];
  calculated: () => CalculationModel | null;
}

/** Cells that a run changes. */
interface Changed extends SheetBlock {
  /** The cause, such as "the input 'Amount'". */
  by: string;
}

interface StalePivot extends Changed {
  pivot: PivotTable;
}

const HOW_TO_FIX =
  'Calculate the result with formulas over the source, such as SUMIFS or GROUPBY, and read it from their cells.';

export function refuseStalePivots(model: WorkbookModel, readers: PivotReaders, problems: ProblemList): void {
  const pivots = model.pivotTables ?? [];
  if (pivots.length === 0) return;
  const reachFrom = createOriginFinder(model, readers.calculated);
  const stale = findStalePivots(model, changedCells(model, readers), reachFrom);
  if (stale.length === 0) return;
  const origin = reachFrom(stale);
  for (const { title, sheet, block } of readers.read) {
    const found = origin(sheet, block);
    if (!found) continue;
    const { pivot, by } = found.area;
    const location = { sheet: model.sheets[pivot.sheet]!.name, cell: formatCell(found.part.top, found.part.left) };
    const cell = formatArea(location.sheet, { ...found.part, bottom: found.part.top, right: found.part.left });
    const source = pivot.sources.map((one) => sourceText(one)).join(', ');
    const message =
      `${title} reads ${cell}, a cell of the pivot table '${pivot.name}', whose source (${source}) depends on ${by}. ` +
      "A run doesn't refresh pivot tables, so the result would stay as it was saved.";
    problems.add(location, problem(message, HOW_TO_FIX));
  }
}

/** Returns all cells that a run may write into, apart from formula results. */
function changedCells(model: WorkbookModel, { inputs, steps }: PivotReaders): Changed[] {
  const byInputs = inputs.map(({ name, area }) => ({
    sheet: area.sheet,
    block: area.table?.block ?? area.block,
    by: `the input '${name}'`,
  }));
  const bySteps = steps.flatMap(({ Step, Action, options }) => {
    const target =
      Action === 'Import' || Action === 'Query' ? options['Table'] : Action === 'Prompt' ? options['Cell'] : undefined;
    const found = target === undefined ? null : resolveArea(model, target, null);
    if (!found || 'problem' in found) return [];
    const { sheet, block, table } = found.area;
    return [{ sheet, block: table?.block ?? block, by: `the step '${Step}'` }];
  });
  return [...byInputs, ...bySteps];
}

/** Returns the pivot tables over changed cells, including those that summarize results of other stale ones. */
function findStalePivots(
  model: WorkbookModel,
  changed: readonly Changed[],
  reachFrom: ReturnType<typeof createOriginFinder>,
): StalePivot[] {
  const areas = new ReferenceAreas(model, []);
  let fresh = (model.pivotTables ?? []).map((pivot) => ({
    pivot,
    source: pivot.sources.flatMap((one) => sourceAreas(model, areas, one)),
  }));
  const stale: StalePivot[] = [];
  for (let before = -1; before < stale.length;) {
    before = stale.length;
    const origin: FindOrigin<Changed> = reachFrom<Changed>([...changed, ...stale]);
    fresh = fresh.filter(({ pivot, source }) => {
      const cause = source.map(({ sheet, block }) => origin(sheet, block)).find((found) => found !== null);
      if (!cause) return true;
      for (const block of pivot.pageBlock ? [pivot.block, pivot.pageBlock] : [pivot.block])
        stale.push({ sheet: pivot.sheet, block, by: cause.area.by, pivot });
      return false;
    });
  }
  return stale;
}

function sourceText({ sheet, ref, name }: PivotSource): string {
  const block = ref === null ? null : parseBlock(ref);
  return name ?? (sheet !== null && block ? formatArea(sheet, block) : (ref ?? ''));
}

/**
 * If only a calculation could resolve a name, returns the sheets that its formula mentions, or all sheets if it
 * mentions none.
 */
function sourceAreas(model: WorkbookModel, areas: ReferenceAreas, source: PivotSource): SheetBlock[] {
  const at = source.sheet === null ? -1 : sheetIndex(model, source.sheet);
  const block = source.ref === null ? null : parseBlock(source.ref);
  if (block && at >= 0) return [{ sheet: at, block }];
  const { name } = source;
  if (name === null) return [];
  const table = model.tables.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (table) return [table];
  const tree = parseReference(name);
  if (!tree) return [];
  const sheet = at < 0 ? null : at;
  const known = areas.of(tree, sheet);
  if (known) return known;
  const spoken = precedents(tree, sheet ?? 0, NO_CELL, new Scope(model)).areas.map((area) => area.sheet);
  const sheets = spoken.length > 0 ? new Set(spoken) : model.sheets.keys();
  const whole = { top: 0, left: 0, bottom: MAX_ROWS - 1, right: MAX_COLS - 1 };
  return [...sheets].map((one) => ({ sheet: one, block: whole }));
}
