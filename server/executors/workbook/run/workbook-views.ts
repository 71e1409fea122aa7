/** Views of workbooks for runs: the types that cells reveal themselves, and the types inferred from formulas. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellView } from '../definitions/cell-view.ts';
import { createDefinitionView } from '../definitions/definition-view.ts';

/** Views of loaded workbooks, cached so that their formulas are examined once. */
const views = new WeakMap<WorkbookModel, CellView>();

export function viewOf(model: WorkbookModel): CellView {
  let view = views.get(model);
  if (!view) views.set(model, (view = createDefinitionView(model, () => null)));
  return view;
}
