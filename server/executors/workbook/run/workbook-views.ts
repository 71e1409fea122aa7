/** Workbooks as runs look at them: what cells say themselves, and what formulas say of those that say nothing. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellView } from '../definitions/cell-view.ts';
import { createDefinitionView } from '../definitions/definition-view.ts';

/** Views of workbooks that stay loaded, so that their formulas are gone through once. */
const views = new WeakMap<WorkbookModel, CellView>();

export function viewOf(model: WorkbookModel): CellView {
  let view = views.get(model);
  if (!view) views.set(model, (view = createDefinitionView(model, () => null)));
  return view;
}
