/**
 * Shares one calculation of an uploaded workbook among all that need it: the definition, if the file has no saved
 * values, the comparison, and the search for circular results.
 */
import type { CalculationEngine, CalculationModel } from '#server/calculation/engine.ts';
import { CalculationError } from '#server/calculation/engine.ts';
import type { WorkbookModel, WorkbookRegion } from '#server/calculation/reader/workbook-model.ts';
import { findNonConvergedCells } from './run/non-converged-cells.ts';
import type { NonConvergedCells } from './run/non-converged-cells.ts';

export interface OwnCalculation {
  /** Returns the calculated workbook; null if it cannot be calculated. Throws CalculationError 'limit' and 'failed'. */
  calculated: () => CalculationModel | null;
  /** The engine. It returns the existing calculation the first time it loads the workbook. */
  engine: CalculationEngine;
  /**
   * Returns the region that the workbook is calculated with; null if it cannot be calculated. Throws as `calculated`
   * does.
   */
  region: () => WorkbookRegion | null;
  /**
   * Recalculates with the values of the file and returns the cells that depend on themselves; null if there are none.
   */
  nonConverged: () => NonConvergedCells | null;
}

export function createOwnCalculation(model: WorkbookModel, engine: CalculationEngine): OwnCalculation {
  let known: CalculationModel | null = null;
  return {
    calculated: () => {
      const loaded = loadedOrNull(engine, model);
      if (!loaded) return null;
      try {
        loaded.recalculate();
        // With iterative calculation, each calculation yields other values, so the result cannot be shared.
        if (!model.iteration.enabled) known = loaded;
      } catch (error) {
        // Cells that depend on themselves hold errors; all others are calculated.
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
    nonConverged: () => {
      const loaded = engine.load(model);
      try {
        loaded.recalculate();
        return null;
      } catch (error) {
        return findNonConvergedCells(error, model, loaded);
      }
    },
  };
}

/** Returns null if the workbook cannot be loaded. The comparison reports the reason. */
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
