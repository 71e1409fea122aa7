/** The calculation engines of this thread, each made when it is first needed. */
import type { CalculationEngine } from '#server/calculation/engine.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { loadIronCalcEngine } from './ironcalc-engine.ts';

/** By the names versions and reports know them by; the first is ours, and preferred where others agree with Excel no better. */
const CREATE: Record<string, () => CalculationEngine> = {
  runsheet: createRunsheetEngine,
  ironcalc: loadIronCalcEngine,
};

/** Versions that were published before there was a choice were checked with this one. */
const FIRST_ENGINE = 'ironcalc';

export const ENGINE_NAMES: readonly string[] = Object.keys(CREATE);

const created = new Map<string, CalculationEngine>();

/** The engine of a version. Throws where there is none of that name. */
export function engineNamed(name: string = FIRST_ENGINE): CalculationEngine {
  let engine = created.get(name);
  if (!engine) {
    const create = CREATE[name];
    if (!create) throw new Error(`There is no calculation engine ${name}`);
    created.set(name, (engine = create()));
  }
  return engine;
}
