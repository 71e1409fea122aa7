/**
 * Copies of workbooks that calculate row after row. A copy receives only the values that differ from the row before, so
 * only what depends on them is recalculated.
 */
import type { CellEdit } from '#server/calculation/engine.ts';
import { CalculationError } from '#server/calculation/engine.ts';
import type { InputDefinition, OutputDefinition } from '#server/executors/activity-definition.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import type { CellView } from '../definitions/cell-view.ts';
import { createCalculation, type Calculation } from '../run/calculation.ts';
import { singleCellEdit, writeInput } from '../run/input-cells.ts';
import type { WarmWorkbook } from '../run/warm-workbooks.ts';
import { viewOf } from '../run/workbook-views.ts';
import type { RowInput, SuppliedCell } from './row-inputs.ts';

/** The values of a row, parallel to the inputs; null for lists and tables. */
export type RowValues = readonly (SuppliedCell | null)[];

export interface RowModel {
  readonly calculation: Calculation;
  readonly view: CellView;
}

export interface RowModels {
  /**
   * Returns the workbook with the values of a row. Throws InputValueError, and WorkbookFileError if there is no room
   * for a table.
   */
  at(values: RowValues): RowModel;
  /** The next row gets a new copy, because this one failed. */
  drop(): void;
  /** Ends the use of the copies. One that the next request can continue with is kept. */
  end(): void;
}

interface OwnModel extends RowModel {
  workbook: WarmWorkbook;
  /** Maximum milliseconds per recalculation. */
  timeLimit: number;
  /** What the copy has in common for all its rows: values of lists and tables, and the outputs. */
  shape: string;
  edit: Map<string, (cell: FormCell) => CellEdit>;
  /** The values of cells that were written, by input. */
  written: Map<string, FormCell>;
}

export interface RowModelOptions {
  cache: RowModelCache;
  versionKey: string;
  timeLimit: number;
  /** The outputs, if no other cells are read; null otherwise. */
  outputs: readonly OutputDefinition[] | null;
}

/** The last copies of a thread, by version. */
export type RowModelCache = Map<string, OwnModel>;

/** Maximum number of cached copies per thread: they share with their workbooks what they have not changed. */
const MAX_CACHED = 8;

export function createRowModels(
  workbook: WarmWorkbook,
  inputs: readonly RowInput[],
  options: RowModelOptions,
): RowModels {
  const { cache, versionKey, timeLimit, outputs } = options;
  const wholes = JSON.stringify(inputs.map((one) => (one.kind === 'whole' ? one.json : null)));
  const shape = JSON.stringify([wholes, outputs?.map(({ Name }) => Name)]);
  // A table with other rows moves cells. Then everything is calculated.
  const isInPlace = inputs.every((one) => one.kind === 'cell' || one.json === null);
  const only = isInPlace ? outputs?.map(({ location: { sheet, block } }) => ({ sheet, block })) : undefined;
  // An iterative calculation may start from the last results, and of overlapping inputs the last one counts.
  const isReusable = !workbook.model.iteration.enabled && !haveOverlap(inputs);
  const known = cache.get(versionKey);
  // A copy from the end of a long call would have hardly any time.
  const hasTime = known !== undefined && known.timeLimit >= timeLimit / 2;
  let model = hasTime && known.workbook === workbook && known.shape === shape ? known : null;
  if (known && !model) dispose(known);
  cache.delete(versionKey);

  const drop = (): void => {
    if (model) dispose(model);
    model = null;
    cache.delete(versionKey);
  };
  return {
    drop,
    end() {
      if (model && cache.get(versionKey) !== model) drop();
    },
    at(values) {
      if (model && (!isReusable || needsDefault(model, inputs, values))) drop();
      if (model) changeValues(model, inputs, values);
      else {
        const calculation = createCalculation(workbook, timeLimit, { makeSpace: workbook.makeSpace, only });
        const view = viewOf(workbook.model);
        model = { workbook, shape, timeLimit, calculation, view, edit: new Map(), written: new Map() };
        try {
          writeAll(model, inputs, values);
        } catch (error) {
          // The values after the one that could not be written are missing.
          drop();
          throw error;
        }
      }
      if (isReusable) remember(cache, versionKey, model);
      return model;
    },
  };
}

function remember(cache: RowModelCache, key: string, model: OwnModel): void {
  if (cache.get(key) === model) return;
  cache.set(key, model);
  for (const [oldest, own] of cache) {
    if (cache.size <= MAX_CACHED) return;
    dispose(own);
    cache.delete(oldest);
  }
}

/** Writes all values in the order of the inputs, as a run does. */
function writeAll(model: OwnModel, inputs: readonly RowInput[], values: RowValues): void {
  const { calculation, view } = model;
  for (const [index, one] of inputs.entries()) {
    const supplied = values[index];
    if (one.kind === 'whole') {
      if (one.json !== null) writeInput(calculation, view, one.input, one.json);
    } else if (supplied?.kind === 'value') {
      calculation.write([singleCellEdit(calculation, view, one.input)(supplied.cell)]);
      model.written.set(one.input.Name, supplied.cell);
    }
  }
}

function changeValues(model: OwnModel, inputs: readonly RowInput[], values: RowValues): void {
  const { written } = model;
  const edits: CellEdit[] = [];
  for (let index = 0; index < inputs.length; index += 1) {
    const supplied = values[index];
    if (supplied?.kind !== 'value') continue;
    const { input } = inputs[index]!;
    if (written.get(input.Name) === supplied.cell) continue;
    edits.push(editOf(model, input)(supplied.cell));
  }
  // Also without edits, because functions such as RAND have another value in each row.
  model.calculation.write(edits);
  for (let index = 0; index < inputs.length; index += 1) {
    const supplied = values[index];
    if (supplied?.kind === 'value') written.set(inputs[index]!.input.Name, supplied.cell);
  }
}

function editOf({ calculation, view, edit }: OwnModel, input: InputDefinition): (cell: FormCell) => CellEdit {
  let own = edit.get(input.Name);
  if (!own) edit.set(input.Name, (own = singleCellEdit(calculation, view, input)));
  return own;
}

/** Returns true if a cell was written whose own value the row needs. */
function needsDefault({ written }: OwnModel, inputs: readonly RowInput[], values: RowValues): boolean {
  return values.some((supplied, index) => supplied?.kind === 'default' && written.has(inputs[index]!.input.Name));
}

/** Returns true if two inputs share cells. */
function haveOverlap(inputs: readonly RowInput[]): boolean {
  return inputs.some(({ input: { location: one } }, index) =>
    inputs.slice(index + 1).some(({ input: { location: other } }) => {
      const [a, b] = [one.block, other.block];
      const isApart = a.bottom < b.top || b.bottom < a.top || a.right < b.left || b.right < a.left;
      return one.sheet === other.sheet && !isApart;
    }),
  );
}

function dispose({ calculation }: OwnModel): void {
  try {
    calculation.dispose();
  } catch (error) {
    // An engine that has stopped cannot free its memory.
    if (!(error instanceof CalculationError)) throw error;
  }
}
