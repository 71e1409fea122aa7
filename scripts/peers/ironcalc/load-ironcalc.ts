import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CalculationEngine } from '#server/calculation/engine.ts';
import { createIronCalcEngine } from './ironcalc-engine.ts';

/** The IronCalc engine of this thread, from the package's .wasm file. */
export function loadIronCalcEngine(): CalculationEngine {
  const module = createRequire(import.meta.url).resolve('@ironcalc/wasm');
  const bytes = readFileSync(new URL('wasm_bg.wasm', `file://${module}`));
  return createIronCalcEngine(new Uint8Array(bytes));
}
