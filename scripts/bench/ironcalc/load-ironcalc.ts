import { readFileSync } from 'node:fs';
import type { CalculationEngine } from '#server/calculation/engine.ts';
import { resolvePeer } from '../peers.ts';
import { createIronCalcEngine } from './ironcalc-engine.ts';

/** Loads the IronCalc engine of this thread from the package's .wasm file. */
export function loadIronCalcEngine(): CalculationEngine {
  const bytes = readFileSync(new URL('wasm_bg.wasm', `file://${resolvePeer('@ironcalc/wasm')}`));
  return createIronCalcEngine(new Uint8Array(bytes));
}
