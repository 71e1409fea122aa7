/** Runsheet's own calculation engine. */
import type { CalculationEngine } from './engine.ts';
import { findFunction } from './functions/registry.ts';
import { loadModel } from './runsheet-model.ts';
import { findUnsupported } from './graph/unsupported.ts';

export function createRunsheetEngine(): CalculationEngine {
  return {
    name: 'runsheet',
    unsupported: (model) => findUnsupported(model, findFunction),
    load: (model) => loadModel(model, findFunction),
  };
}
