/**
 * IronCalc (@ironcalc/wasm) behind the engine interface. If IronCalc runs out of stack or memory, its WebAssembly
 * instance becomes unusable with all models in it. There is one instance per thread. Every later call then throws
 * CalculationError 'failed', and the thread has to be replaced.
 */
import { loadIronCalc, type IronCalcModelApi } from '../peers.ts';
import type { CalculationEngine, UnsupportedFunction } from '#server/calculation/engine.ts';
import { deepestChain } from './limits.ts';
import { circularReferenceCells } from '#server/calculation/graph/circular-references.ts';
import { FormulaIndex } from '#server/calculation/graph/formula-index.ts';
import { calculationOrder } from '#server/calculation/graph/visit.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { walk } from '#server/calculation/syntax/traverse.ts';
import { formulaText } from './formula-text.ts';
import { guarded, IronCalcModel } from './ironcalc-model.ts';
import { feedWorkbook, sheetOffset } from './load.ts';
import { restingPoints } from './resting-points.ts';
import { EXTERNAL_LINK } from './translate.ts';

/** @param wasmBytes content of the package's wasm_bg.wasm */
export function createIronCalcEngine(wasmBytes: Uint8Array<ArrayBuffer>): CalculationEngine {
  loadIronCalc().initSync({ module: wasmBytes });
  const isFunction = createFunctionTest();
  return {
    name: 'ironcalc',
    unsupported: (model) => findUnsupported(model, isFunction),
    load: (model) => guarded(() => load(model, isFunction)),
  };
}

function load(model: WorkbookModel, isFunction: (name: string) => boolean): IronCalcModel {
  const index = new FormulaIndex(model);
  const { order, depth } = calculationOrder(index);
  const points = depth > deepestChain ? restingPoints(index, order, deepestChain) : [];
  const translation = { scope: index.scope, date1904: model.date1904, isFunction };
  const engine = newModel();
  feedWorkbook(engine, { model, index, translation, restingPoints: points });
  // Serializing and reloading drops the undo history that the fed model has for every cell.
  const bytes = engine.toBytes();
  engine.free();
  const offset = sheetOffset(points);
  const circularCells = circularReferenceCells(index, order).map((id) => index.cells[id]!);
  return IronCalcModel.fromBytes(bytes, { model, index, offset, circularCells, translation });
}

function newModel(): IronCalcModelApi {
  const engine = new (loadIronCalc().Model)('workbook', 'en', 'UTC', 'en');
  engine.pauseEvaluation();
  return engine;
}

/**
 * Returns a test for function names. IronCalc prints the names of functions it knows in capitals, and others in lower
 * case.
 */
function createFunctionTest(): (name: string) => boolean {
  const known = new Map<string, boolean>(['LET', 'LAMBDA', 'TRUE', 'FALSE'].map((name) => [name, true]));
  let scratch: IronCalcModelApi | null = null;
  return (name) => {
    let answer = known.get(name);
    if (answer === undefined) {
      answer = guarded(() => {
        scratch ??= newModel();
        scratch.setUserInput(0, 1, 1, `=${name}()`);
        return scratch.getCellContent(0, 1, 1) === `=${name}()`;
      });
      known.set(name, answer);
    }
    return answer;
  };
}

function findUnsupported(model: WorkbookModel, isFunction: (name: string) => boolean): UnsupportedFunction[] {
  const { cells, scope } = new FormulaIndex(model);
  const found: UnsupportedFunction[] = [];
  for (const { tree, sheet, row, col, formula } of cells) {
    const names = new Set<string>();
    if (tree) {
      walk(tree, (node) => {
        if (node.type !== 'call' || isFunction(node.name)) return;
        if (node.filePrefix !== '' || !scope.nameCalled(node.name, sheet)) names.add(node.name);
      });
    }
    const translation = { scope, date1904: model.date1904, isFunction };
    const { construct } = formulaText({ tree, kind: formula.kind }, translation, sheet, { row, col });
    if (construct !== null && construct !== EXTERNAL_LINK) names.add(construct);
    for (const name of names) found.push({ name, sheet, row, col });
  }
  return found;
}
