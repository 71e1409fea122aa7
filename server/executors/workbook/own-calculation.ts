/** The calculation of an uploaded workbook for all that need it: the definition, where the file has no values, the comparison, and the search for circular results. */
import type { CalculationEngine, CalculationModel } from '#server/calculation/engine.ts';
import { CalculationError } from '#server/calculation/engine.ts';
import type { WorkbookModel, WorkbookRegion } from '#server/calculation/reader/workbook-model.ts';
import { unsettledCells } from './run/unsettled-cells.ts';
import type { UnsettledCells } from './run/unsettled-cells.ts';

export interface OwnCalculation {
  /** The calculated workbook; null where it cannot be calculated. Throws CalculationError 'limit' and 'failed'. */
  calculated: () => CalculationModel | null;
  /** The engine, which hands out that calculation the first time it loads the workbook. */
  engine: CalculationEngine;
  /** The region that the workbook is calculated with; null where it cannot be calculated. Throws as `calculated` does. */
  region: () => WorkbookRegion | null;
  /** Cells that depend on themselves with the values of the file, after another calculation; null where there are none. */
  unsettled: () => UnsettledCells | null;
}

export function createOwnCalculation(model: WorkbookModel, engine: CalculationEngine): OwnCalculation {
  let known: CalculationModel | null = null;
  return {
    calculated: () => {
      const loaded = loadedOrNull(engine, model);
      if (!loaded) return null;
      try {
        loaded.recalculate();
        // what iterates comes to other values with each calculation
        if (!model.iteration.enabled) known = loaded;
      } catch (error) {
        // cells that depend on themselves are errors, and all others calculated
        if (!isOfTheWorkbook(error)) throw error;
        return error.code === 'circular' ? loaded : null;
      }
      return loaded;
    },
    engine: {
      ...engine,
      load(wanted) {
        const loaded = wanted === model ? known : null;
        known = null;
        return loaded ?? engine.load(wanted);
      },
    },
    region: () => (known ?? loadedOrNull(engine, model))?.regionOrigin ?? null,
    unsettled: () => {
      const loaded = engine.load(model);
      try {
        loaded.recalculate();
        return null;
      } catch (error) {
        return unsettledCells(error, model, loaded);
      }
    },
  };
}

/** Why a workbook cannot be loaded is told by the comparison. */
function loadedOrNull(engine: CalculationEngine, model: WorkbookModel): CalculationModel | null {
  try {
    return engine.load(model);
  } catch (error) {
    if (!isOfTheWorkbook(error)) throw error;
    return null;
  }
}

const isOfTheWorkbook = (error: unknown): error is CalculationError =>
  error instanceof CalculationError && error.code !== 'limit' && error.code !== 'failed';
