/** Infers types of inputs from their lists, if neither cells nor formulas reveal them. */
import type { ValueKind } from '#server/calculation/kinds/value-kind.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellView } from './cell-view.ts';
import type { PickerQueryDefinition } from '#server/executors/activity-definition.ts';
import type { Field } from './field.ts';
import { fieldTitle, UNKNOWN } from './guessed-kinds.ts';
import type { Draft } from './parameters.ts';
import type { Shape } from './shapes.ts';
import { listItems } from './list-items.ts';
import { splitSources } from './pickers.ts';
import type { RowReader } from './portal-values.ts';

const WORDS: Record<Exclude<ValueKind, 'Text'>, string> = {
  Number: 'numbers',
  Date: 'dates',
  Boolean: 'TRUE and FALSE',
};

/** Returns the fields; those of unknown type get the type of their PickerSource on the Portal sheet. */
export function withListedKinds(model: WorkbookModel, view: CellView, row: RowReader, fields: Field[]): Field[] {
  if (/Database|Condition/i.test(row.text('Picker'))) return fields;
  const sources = splitSources(row.text('PickerSource'));
  return fields.map((field, index) => {
    const source = (sources.length === 1 ? sources[0] : sources[index])?.replace(/^\*/, '') ?? '';
    if (field.guess !== UNKNOWN || source === '') return field;
    const usage = listItems(model, view, source, null)?.usage ?? 'Text';
    return usage === 'Text' ? field : { ...field, usage, guess: `its list ${source} holds ${WORDS[usage]}` };
  });
}

/**
 * Marks the queries of Database pickers that must determine the type of their fields, because only the database knows
 * it. Returns the fields; those left to a query are no longer reported as unknown.
 */
export function askQueriesForKinds(
  draft: Draft,
  shape: Shape,
  fields: readonly Field[],
  queries: readonly (PickerQueryDefinition | null)[],
): Field[] {
  return fields.map((field, index) => {
    const query = queries[index];
    if (!query || field.guess !== UNKNOWN) return field;
    query.unknownField = fieldTitle(draft, shape, fields, index);
    return { ...field, guess: null };
  });
}
