/** Recalculates a workbook as it came and compares each formula's result with the value Excel saved in it. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { sameValue } from './compare-values.ts';
import { CalculationError } from './engine.ts';
import type { CalculationEngine, CalculationModel } from './engine.ts';
import { BlockMax } from './graph/block-max.ts';
import type { SheetCell } from './graph/calculation-stack.ts';
import { circleCells } from './graph/circles.ts';
import { ExternalBooks } from './graph/external-books.ts';
import { FormulaIndex } from './graph/formula-index.ts';
import { linkedBook, reachedBy, surroundingsFunctions } from './graph/properties.ts';
import type { SheetBlock } from './graph/scope.ts';
import { calculationOrder, feeding } from './graph/visit.ts';
import { SavedInputs } from './saved-inputs.ts';
import { SavedValues } from './saved-values.ts';
import { StaleValues } from './stale.ts';
import type { WorkbookModel } from './reader/workbook-model.ts';
import type { Node } from './syntax/ast.ts';
import { printFormula } from './syntax/printer.ts';
import { CellError } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

export interface FidelityReport {
  /** Formulas compared: not those that depend on time, chance or machine, and not those saved without a value. */
  formulas: number;
  equal: number;
  different: number;
  /** Formulas saved without a value: there is nothing to compare. */
  unsaved: number;
  /** Formulas that cannot be calculated here (`unsupported`, or links whose values are not in the file) and keep the value saved. */
  kept: number;
  /** Functions whose result no second calculation can repeat, and CIRCLES; what depends on them is left out of the count. */
  volatile: string[];
  /** Formulas left out for that reason. */
  leftOut: number;
  cells: DifferentCell[];
  unsupported: UnsupportedUse[];
  /** The regional settings calculated with: 'en-US', 'de-DE'. */
  region: string;
}

export interface DifferentCell {
  /** Name of the sheet. */
  sheet: string;
  /** 'B7'. */
  cell: string;
  formula: string;
  saved: ReportedValue;
  got: ReportedValue;
  reason: string;
  /** Whether one of the outputs asked for depends on it. */
  feedsOutput: boolean;
}

/** Errors by their code ('#N/A'). */
export type ReportedValue = string | number | boolean | null;

export interface UnsupportedUse {
  name: string;
  count: number;
  /** The first place, as 'Sheet1!B7'. */
  first: string;
  feedsOutput: boolean;
}

/**
 * Cells that depend on themselves and have no value of their own: without iteration Excel calculates neither them nor what depends on them (it
 * shows 0, or what was there before); with iteration, those that change each time it calculates.
 */
export const CIRCLES = 'circular references';

/** An array formula over more cells is compared by its first ones. */
const MAX_ARRAY_CELLS = 10_000;
/** A comparison of digits beyond those compared here. */
const LAST_DIGITS = 'last digits: comes to the saved value from the values saved in the cells it reads';
/** Targets of links are named up to here. */
const LONGEST_LINK = 200;

/**
 * Throws CalculationError where the engine cannot load or calculate the workbook. With `outputs`, cells tell whether
 * one of these blocks depends on them; without, they all say so.
 */
export function compareWithSaved(
  model: WorkbookModel,
  engine: CalculationEngine,
  outputs: SheetBlock[] | null = null,
): FidelityReport {
  return new Comparison(model, engine, outputs).run();
}

class Comparison {
  private readonly model: WorkbookModel;
  private readonly engine: CalculationEngine;
  private readonly index: FormulaIndex;
  private readonly order: Int32Array;
  private readonly feeds: (id: number) => boolean;
  private readonly books: ExternalBooks;
  private readonly saved: SavedValues;
  /** Numbers (from 1) of the formulas that differ. */
  private readonly differing: BlockMax;
  private readonly booleansAreNumbers: boolean;
  /** Whether a formula reads another workbook whose values are not in the file. */
  private readonly unsavedLinks = new Map<Node, boolean>();

  constructor(model: WorkbookModel, engine: CalculationEngine, outputs: SheetBlock[] | null) {
    this.model = model;
    this.engine = engine;
    this.index = new FormulaIndex(model);
    this.books = new ExternalBooks(model);
    this.order = calculationOrder(this.index).order;
    this.feeds = outputs ? feeding(this.index, outputs).feeds : () => true;
    this.saved = new SavedValues(model);
    this.differing = new BlockMax(this.index);
    this.booleansAreNumbers = /^(?:LibreOffice|OpenOffice)/.test(model.origin?.program ?? '');
  }

  run(): FidelityReport {
    const surroundings = surroundingsFunctions(this.index);
    const unsupported = this.unsupported();
    const report: FidelityReport = {
      formulas: 0,
      equal: 0,
      different: 0,
      unsaved: 0,
      kept: 0,
      volatile: [...new Set(surroundings.flat())].sort(),
      leftOut: 0,
      cells: [],
      unsupported: unsupported.uses,
      region: 'en-US',
    };
    const calculated = this.engine.load(this.model);
    report.region = calculated.region ?? report.region;
    const savedInputs = new SavedInputs(this.model, this.index, this.saved, calculated);
    try {
      recalculate(calculated);
      const unsettled = new Set(calculated.unsettled?.().map(({ sheet, row, col }) => `${sheet}:${row}:${col}`));
      const isUnsettled = ({ sheet, row, col }: SheetCell): boolean => unsettled.has(`${sheet}:${row}:${col}`);
      if (unsettled.size > 0) report.volatile.push(CIRCLES);
      const leftOut = this.leftOut(
        calculated,
        (id) => surroundings[id]!.length > 0 || (unsettled.size > 0 && isUnsettled(this.index.cells[id]!)),
      );
      report.leftOut = leftOut.size;
      const stale = new StaleValues(this.model, this.index, this.saved, calculated);
      const circles = new Set(circleCells(this.index, this.order));
      const found: { id: number; cell: DifferentCell }[] = [];
      for (const id of this.order) {
        if (leftOut.has(id)) continue;
        const outcome = this.compare(calculated, id);
        if (outcome === 'unsaved') {
          report.unsaved += 1;
          continue;
        }
        if (outcome === 'equal' && this.isKept(id, unsupported.byCell)) {
          report.kept += 1;
          continue;
        }
        report.formulas += 1;
        if (outcome === 'equal' || savedInputs.explain(id)) {
          report.equal += 1;
          continue;
        }
        const reason = this.reason(id, unsupported.byCell.get(id), circles, stale, savedInputs);
        this.differing.raise(id, id + 1);
        found.push({ id, cell: { ...outcome, reason, feedsOutput: this.feeds(id) } });
      }
      report.different = found.length;
      report.cells = found.sort((a, b) => a.id - b.id).map(({ cell }) => cell);
    } finally {
      savedInputs.dispose();
      dispose(calculated);
    }
    return report;
  }

  /** What depends on something that no second calculation repeats, by references that are made on the way as well. */
  private leftOut(calculated: CalculationModel, has: (id: number) => boolean): Set<number> {
    const made = new Map<number, readonly SheetBlock[]>();
    return reachedBy(this.index, this.order, has, (id) => {
      let references = made.get(id);
      if (!references) {
        const { sheet, row, col } = this.index.cells[id]!;
        const found = calculated.referencesOf?.(sheet, row, col) ?? [];
        // other workbooks' sheets come after the model's own
        references = found.filter((reference) => reference.sheet < this.model.sheets.length);
        made.set(id, references);
      }
      return references;
    });
  }

  /** Whether the formula cannot be calculated by this engine, so that the value saved is no result to compare with. */
  private isKept(id: number, unsupported: ReadonlyMap<number, string>): boolean {
    if (unsupported.has(id)) return true;
    const { tree } = this.index.cells[id]!;
    if (!tree) return false;
    let isUnsaved = this.unsavedLinks.get(tree);
    if (isUnsaved === undefined) {
      isUnsaved = linkedBook(this.index, id, this.books)?.isSaved === false;
      this.unsavedLinks.set(tree, isUnsaved);
    }
    return isUnsaved;
  }

  private unsupported(): { uses: UnsupportedUse[]; byCell: Map<number, string> } {
    const ids = new Map<string, number>(
      this.index.cells.map(({ sheet, row, col }, id) => [`${sheet}:${row}:${col}`, id]),
    );
    const uses = new Map<string, UnsupportedUse>();
    const byCell = new Map<number, string>();
    for (const { name, sheet, row, col } of this.engine.unsupported(this.model)) {
      const id = ids.get(`${sheet}:${row}:${col}`);
      const feedsOutput = id === undefined || this.feeds(id);
      if (id !== undefined) byCell.set(id, name);
      const use = uses.get(name);
      if (!use) {
        const first = `${this.model.sheets[sheet]!.name}!${formatCell(row, col)}`;
        uses.set(name, { name, count: 1, first, feedsOutput });
      } else {
        use.count += 1;
        use.feedsOutput ||= feedsOutput;
      }
    }
    return { uses: [...uses.values()].sort((a, b) => b.count - a.count), byCell };
  }

  private compare(
    calculated: CalculationModel,
    id: number,
  ): 'equal' | 'unsaved' | Omit<DifferentCell, 'reason' | 'feedsOutput'> {
    const { sheet, row, col, cell, formula, tree } = this.index.cells[id]!;
    const isOwn = formula.cell.row === row && formula.cell.col === col;
    const own = this.saved.at(sheet, cell);
    if (own === null) return 'unsaved';
    for (const position of resultCells(formula.kind, formula.block, row, col)) {
      const isAnchor = position.row === row && position.col === col;
      const saved = isAnchor ? own : this.saved.find(sheet, position.row, position.col);
      const got = calculated.value(sheet, position.row, position.col);
      if (sameValue(saved, got, this.booleansAreNumbers)) continue;
      return {
        sheet: this.model.sheets[sheet]!.name,
        cell: formatCell(position.row, position.col),
        formula: isOwn || !tree ? formula.text : printFormula(tree, { row, col }),
        saved: reported(saved),
        got: reported(got),
      };
    }
    return 'equal';
  }

  private reason(
    id: number,
    unsupported: string | undefined,
    circles: ReadonlySet<number>,
    stale: StaleValues,
    savedInputs: SavedInputs,
  ): string {
    const { tree, formula } = this.index.cells[id]!;
    if (!tree && formula.kind !== 'dataTable') return 'formula that cannot be read';
    if (unsupported !== undefined) {
      return /^[A-Z][A-Z0-9._]*$/.test(unsupported)
        ? `function ${unsupported} not supported`
        : `${unsupported} not supported`;
    }
    const link = linkedBook(this.index, id, this.books);
    if (link)
      return `external link ${link.target.slice(0, LONGEST_LINK)}${link.isSaved ? '' : ', not saved with the file'}`;
    if (circles.has(id)) return 'circular reference';
    for (const { sheet, block } of this.index.precedents(id).areas) {
      const other = this.differing.max(sheet, block) - 1;
      if (other < 0 || other === id) continue;
      const at = this.index.cells[other]!;
      return `depends on ${this.model.sheets[at.sheet]!.name}!${formatCell(at.row, at.col)} that differs`;
    }
    return stale.reason(id) ?? (savedInputs.isOfLastDigits(id) ? LAST_DIGITS : 'different value');
  }
}

/** Circular references leave their cells in error and all others calculated: the comparison shows which. */
function recalculate(calculated: CalculationModel): void {
  try {
    calculated.recalculate();
  } catch (error) {
    if (!(error instanceof CalculationError) || error.code !== 'circular') throw error;
  }
}

function dispose(calculated: CalculationModel): void {
  try {
    calculated.dispose();
  } catch (error) {
    // an engine that has stopped cannot free what it held; what stopped it has been thrown already
    if (!(error instanceof CalculationError)) throw error;
  }
}

function* resultCells(
  kind: string,
  block: CellBlock | undefined,
  row: number,
  col: number,
): Generator<{ row: number; col: number }> {
  yield { row, col };
  if ((kind !== 'array' && kind !== 'dynamicArray') || !block) return;
  let count = 0;
  for (let y = block.top; y <= block.bottom; y += 1) {
    for (let x = block.left; x <= block.right; x += 1) {
      if (y === row && x === col) continue;
      count += 1;
      if (count > MAX_ARRAY_CELLS) return;
      yield { row: y, col: x };
    }
  }
}

function reported(value: CellValue): ReportedValue {
  return value instanceof CellError ? value.code : value;
}
