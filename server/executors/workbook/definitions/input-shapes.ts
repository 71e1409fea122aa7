/** Determines the shape of an input and the location of its values. */
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { ParameterLocation } from '#server/executors/activity-definition.ts';
import type { CellView } from './cell-view.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import { reportHeaderChoice } from './header-choices.ts';
import { withKinds } from './lost-headings.ts';
import type { Draft } from './parameters.ts';
import type { RowReader } from './portal-values.ts';
import { shapeOf } from './shapes.ts';
import type { Shape } from './shapes.ts';
import { wantedShape } from './wanted-shapes.ts';

interface ShapeContext {
  /** True if a step reads a file or folder from it: its cells then hold names. */
  isImported: boolean;
  problems: ProblemList;
  findings: ProblemList;
}

/** Returns null if the cells do not have the shape that the author requested. */
export function inputShape(
  model: WorkbookModel,
  view: CellView,
  row: RowReader,
  draft: Draft,
  { isImported, problems, findings }: ShapeContext,
): Shape | null {
  const found = shapeOf(model, view, draft.area, wantedShape(row));
  if ('problem' in found) {
    problems.add(
      draft.location,
      problem(`The input '${draft.name}' ${found.problem.message}.`, found.problem.howToFix),
    );
    return null;
  }
  if (isImported) return found.shape;
  const isAsked = row.text('RangeType') !== '' || row.text('CellUsages') !== '';
  const shape = isAsked ? found.shape : withKinds(model, view, draft, found.shape, { problems, findings });
  reportHeaderChoice(model, draft, shape, findings);
  return shape;
}

/** `table` is the Excel table whose rows the values follow; null if there is none. */
export function locationOf(sheet: number, { data, anchors }: Shape, table: TableModel | null): ParameterLocation {
  return { sheet, block: data, ...(anchors ? { anchors } : {}), ...(table ? { table: table.name } : {}) };
}
