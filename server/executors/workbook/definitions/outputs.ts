/** Builds the definition of a declared output. */
import type { OutputDefinition } from '#server/executors/activity-definition.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { CELL_USAGES } from '#shared/rules/parameter-kinds.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import type { Area } from './areas.ts';
import { heightOf, widthOf } from './blocks.ts';
import type { CellView } from './cell-view.ts';
import { describe } from './descriptions.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import { fieldsOf, sqlNames } from './fields.ts';
import { reportGuesses } from './guessed-kinds.ts';
import { reportHeaderChoice } from './header-choices.ts';
import { locationOf } from './input-shapes.ts';
import type { Draft } from './parameters.ts';
import { createRowReader, wrongNumber } from './portal-values.ts';
import { shapeOf } from './shapes.ts';
import { wantedShape } from './wanted-shapes.ts';

const NO_ROW = { location: { sheet: '', cell: '' }, cells: new Map() };

export function outputDefinition(
  model: WorkbookModel,
  view: CellView,
  draft: Draft,
  /** True if an Export step creates it; it is then a file. */
  isFile: boolean,
  { problems, findings }: { problems: ProblemList; findings: ProblemList },
): OutputDefinition | null {
  const row = createRowReader(draft.row ?? NO_ROW, problems);
  const area = withSpill(model, draft.area);
  const found = shapeOf(model, view, area, wantedShape(row));
  if ('problem' in found) {
    problems.add(
      draft.location,
      problem(`The output '${draft.name}' ${found.problem.message}.`, found.problem.howToFix),
    );
    return null;
  }
  const { shape } = found;
  if (!isFile) reportHeaderChoice(model, draft, shape, findings);
  const fields = fieldsOf(model, view, area.sheet, shape);
  const said = row.choices('CellUsages', CELL_USAGES);
  const inferred = fields.map(({ usage }) => usage);
  if (!isFile && said.length === 0) reportGuesses(draft, shape, fields, findings);
  if (said.length > 1 && said.length !== inferred.length)
    row.addProblem(
      'CellUsages',
      wrongNumber('CellUsages', said.length, inferred.length),
      'Enter one value, or one for each column.',
    );
  return {
    Name: draft.name,
    Description: row.text('Description') || describe(model, area.sheet, shape, null),
    Info: {
      RangeType: shape.rangeType,
      CellUsages: isFile ? ['FilePath'] : usages(said, inferred),
      CalculateImmediately: row.flag('CalculateImmediately') ?? false,
      ...(row.flag('Plot') ? { Plot: true } : {}),
      SqlNames: shape.rangeType === 'RangeWithColumnHeaders' ? sqlNames(shape.columnHeaders) : [],
      HeaderRows: shape.headerRows,
      HeaderCols: shape.headerCols,
      RowsVariable: area.table !== null || area.spills,
      ColumnHeaderValues: shape.columnHeaders,
      RowHeaderValues: shape.rowHeaders,
      Formats: fields.map(({ format }) => format),
    },
    location: locationOf(area.sheet, shape, area.table),
    ...(shape.headerSource ? { headers: shape.headerSource } : {}),
  };
}

function usages(said: readonly CellUsage[], inferred: readonly CellUsage[]): CellUsage[] {
  if (said.length === inferred.length) return [...said];
  return said.length === 1 ? inferred.map(() => said[0]!) : [...inferred];
}

/** A name for the single cell of a dynamic array stands for everything that the array fills. */
function withSpill(model: WorkbookModel, area: Area): Area {
  const { block } = area;
  if (area.spills || heightOf(block) * widthOf(block) > 1) return area;
  const anchor = model.sheets[area.sheet]!.cells.formulaTable.find(
    ({ kind, cell }) => kind === 'dynamicArray' && cell.row === block.top && cell.col === block.left,
  );
  const filled = anchor?.block;
  if (!filled || heightOf(filled) * widthOf(filled) === 1) return area;
  return { ...area, block: filled, spills: true };
}
