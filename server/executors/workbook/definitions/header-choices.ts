/** Reports how the first row of a block was read if its cells were ambiguous. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { formatArea } from './blocks.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import type { Draft } from './parameters.ts';
import type { Shape } from './shapes.ts';

export function reportHeaderChoice(
  model: WorkbookModel,
  draft: Draft,
  { isUncertain, headerSource, columnHeaders, data }: Shape,
  findings: ProblemList,
): void {
  if (!isUncertain) return;
  const isInside = headerSource === 'inside';
  const row = isInside ? data.top - 1 : data.top;
  const cells = formatArea(model.sheets[draft.area.sheet]!.name, { ...data, top: row, bottom: row });
  const named = columnHeaders.map((header) => `'${header}'`).join(', ');
  const { name } = draft;
  const table = draft.kind === 'input' ? 'PortalInputs' : 'PortalOutputs';
  const message = isInside
    ? `The first row of '${name}' (${cells}) is read as headings.`
    : `The first row of '${name}' (${cells}) is read as data; its columns are ${named}.`;
  const howToFix = isInside
    ? `If it contains data, enter FALSE as Headers in ${table}.`
    : `If it contains headings, enter TRUE as Headers in ${table}.`;
  findings.add(draft.location, problem(message, howToFix));
}
