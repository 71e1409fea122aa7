/**
 * Implements the engine interface with LibreOffice. Each calculation thread has its own office process, which is
 * started on demand and restarted if it died. Dynamic arrays do not spill in LibreOffice, and what-if tables are not
 * passed to it: workbooks with either are refused.
 */
import type { CalculationEngine, UnsupportedFunction } from '#server/calculation/engine.ts';
import { CalculationError } from '#server/calculation/engine.ts';
import { circularReferenceCells } from '#server/calculation/graph/circular-references.ts';
import { FormulaIndex } from '#server/calculation/graph/formula-index.ts';
import { calculationOrder } from '#server/calculation/graph/visit.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { walk } from '#server/calculation/syntax/traverse.ts';
import { LibreOfficeModel } from './libreoffice-model.ts';
import { OfficeClient, OfficeGone } from './office-client.ts';
import { emptyFile } from './workbook-file.ts';

/** Functions that reach outside the workbook, or that would see the extra sheet added to it. */
const REFUSED = new Set(['DDE', 'WEBSERVICE', 'FILTERXML', 'RTD', 'CALL', 'REGISTER.ID', 'SHEETS', 'STYLE', 'CURRENT']);

/** Excel's names of functions that LibreOffice lists under other names. */
const ALSO = ['FORECAST.ETS', 'FORECAST.ETS.CONFINT', 'FORECAST.ETS.STAT', 'ISO.CEILING'];

export interface LibreOfficeEngine extends CalculationEngine {
  load(model: WorkbookModel): LibreOfficeModel;
  /** Ends the office process. */
  close(): Promise<void>;
}

/**
 * `program` is the result of findOffice, `memoryBytes` the memory limit of the office process, `hidden` the folders it
 * must not see.
 */
export function createLibreOfficeEngine(
  program: string,
  memoryBytes = 2 * 2 ** 30,
  hidden: readonly string[] = [],
): LibreOfficeEngine {
  const client = new OfficeClient(program, memoryBytes, hidden);
  let known: ReadonlySet<string> | null = null;
  const isFunction = (name: string): boolean => {
    known ??= functionNames(client);
    return known.has(name);
  };
  return {
    name: 'libreoffice',
    unsupported: (model) => findUnsupported(model, isFunction),
    load: (model) => load(client, model),
    close: () => client.close(),
  };
}

function functionNames(client: OfficeClient): ReadonlySet<string> {
  const names = listFunctions(client);
  const known = new Set(names.map((name) => name.replace(/^_xlfn\.(_xlws\.)?/, '').toUpperCase()));
  for (const name of ALSO) known.add(name);
  for (const name of REFUSED) known.delete(name);
  return known;
}

/** Throws a CalculationError if the office process does not start. */
function listFunctions(client: OfficeClient): string[] {
  try {
    return client.call<'functions'>({ kind: 'functions', file: emptyFile() });
  } catch (error) {
    if (error instanceof OfficeGone) throw new CalculationError('failed', error.message, { cause: error });
    throw error;
  }
}

function load(client: OfficeClient, model: WorkbookModel): LibreOfficeModel {
  const index = new FormulaIndex(model);
  const names = new Set<string>();
  for (const { tree, formula } of index.cells) {
    const { kind, block } = formula;
    if (kind === 'dataTable') throw unsupported('What-if tables');
    if (kind === 'dynamicArray' && block && (block.bottom > block.top || block.right > block.left))
      throw unsupported('Dynamic arrays that fill several cells');
    if (tree) walk(tree, (node) => void (node.type === 'call' && names.add(node.name)));
  }
  const refused = [...names].find((name) => REFUSED.has(name));
  if (refused !== undefined) throw unsupported(`The function ${refused}`);
  const circularCells = model.iteration.enabled
    ? []
    : circularReferenceCells(index, calculationOrder(index).order).map((id) => index.cells[id]!);
  return LibreOfficeModel.of({ client, model, index, circularCells });
}

const unsupported = (what: string): CalculationError =>
  new CalculationError('unsupported', `${what}: cannot be calculated with LibreOffice here`);

function findUnsupported(model: WorkbookModel, isFunction: (name: string) => boolean): UnsupportedFunction[] {
  const { cells, scope } = new FormulaIndex(model);
  const found: UnsupportedFunction[] = [];
  for (const { tree, sheet, row, col } of cells) {
    if (!tree) continue;
    const names = new Set<string>();
    walk(tree, (node) => {
      if (node.type !== 'call' || isFunction(node.name)) return;
      if (node.filePrefix !== '' || !scope.nameCalled(node.name, sheet)) names.add(node.name);
    });
    for (const name of names) found.push({ name, sheet, row, col });
  }
  return found;
}
