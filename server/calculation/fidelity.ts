/** Recalculates a workbook as uploaded and compares each formula's result with the value that Excel saved. */
import { formatCell } from '#shared/codecs/cell-address.ts';
import { sameValue } from './compare-values.ts';
import { CalculationError } from './engine.ts';
import type { CalculationEngine, CalculationModel } from './engine.ts';
import type {
  DifferentCell,
  FidelityReport,
  NotComparedReason,
  OutputBlock,
  ReportedValue,
  UnsupportedUse,
} from './fidelity-report.ts';
import { BlockMax } from './graph/block-max.ts';
import type { SheetCell } from './graph/calculation-stack.ts';
import { circularReferenceCells } from './graph/circular-references.ts';
import { ExternalBooks } from './graph/external-books.ts';
import { FILLS_BLOCK, FormulaIndex, textAt } from './graph/formula-index.ts';
import { linkedBook, transitiveDependents, listEnvironmentFunctions } from './graph/properties.ts';
import type { SheetBlock } from './graph/scope.ts';
import { calculationOrder, feeding } from './graph/visit.ts';
import { isTooLarge, resultCells } from './filled-cells.ts';
import { NotCompared } from './not-compared.ts';
import { SavedInputs } from './saved-inputs.ts';
import { SavedValues } from './saved-values.ts';
import { StaleValues } from './stale.ts';
import type { WorkbookModel } from './reader/workbook-model.ts';
import type { Node } from './syntax/ast.ts';
import { CellError } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

/** Reason for a difference caused by digits beyond those that are compared. */
const LAST_DIGITS = 'last digits: the saved values of the cells it reads result in the saved value';
/** Link targets are cut to this length, in characters. */
const MAX_LINK_LENGTH = 200;

/**
 * Compares a workbook with its saved values. Throws CalculationError if the engine cannot load or calculate the
 * workbook. With `outputs`, each cell tells whether one of these blocks depends on it; without, all cells count as
 * such.
 */
export function compareWithSaved(
  model: WorkbookModel,
  engine: CalculationEngine,
  outputs: readonly OutputBlock[] | null = null,
): FidelityReport {
  return new Comparison(model, engine, outputs).run();
}

class Comparison {
  private readonly model: WorkbookModel;
  private readonly engine: CalculationEngine;
  private readonly outputs: readonly OutputBlock[] | null;
  private readonly index: FormulaIndex;
  private readonly order: Int32Array;
  private readonly feeds: (id: number) => boolean;
  private readonly books: ExternalBooks;
  private readonly saved: SavedValues;
  /** Numbers (from 1) of the formulas that differ. */
  private readonly differing: BlockMax;
  private readonly booleansAreNumbers: boolean;
  /** True for formulas that read another workbook whose values are not in the file. */
  private readonly unsavedLinks = new Map<Node, boolean>();

  constructor(model: WorkbookModel, engine: CalculationEngine, outputs: readonly OutputBlock[] | null) {
    this.model = model;
    this.engine = engine;
    this.outputs = outputs;
    this.index = new FormulaIndex(model);
    this.books = new ExternalBooks(model);
    this.order = calculationOrder(this.index).order;
    this.feeds = outputs ? feeding(this.index, [...outputs]).feeds : () => true;
    this.saved = new SavedValues(model);
    this.differing = new BlockMax(this.index);
    this.booleansAreNumbers = /^(?:LibreOffice|OpenOffice)/.test(model.origin?.program ?? '');
  }

  run(): FidelityReport {
    const volatile = listEnvironmentFunctions(this.index);
    const unsupported = this.unsupported();
    const calculated = this.engine.load(this.model);
    const savedInputs = new SavedInputs(this.model, this.index, this.saved, calculated);
    try {
      const circular = recalculate(calculated);
      const references = this.references(calculated);
      const notCompared = new NotCompared({ model: this.model, index: this.index, order: this.order, references });
      this.leaveOut(calculated, volatile, references, notCompared);
      const found = this.compareAll(calculated, unsupported.byCell, notCompared, savedInputs);
      return {
        ...found,
        ...notCompared.report(this.outputs),
        volatile: [...new Set(volatile.flat())].sort(),
        unsupported: unsupported.uses,
        region: calculated.region ?? 'en-US',
        regionOrigin: calculated.regionOrigin ?? null,
        circular,
      };
    } finally {
      savedInputs.dispose();
      dispose(calculated);
    }
  }

  private compareAll(
    calculated: CalculationModel,
    unsupported: ReadonlyMap<number, string>,
    notCompared: NotCompared,
    savedInputs: SavedInputs,
  ): Pick<FidelityReport, 'formulas' | 'equal' | 'different' | 'cells'> {
    const stale = new StaleValues(this.model, this.index, this.saved, calculated);
    const circularReferences = new Set(circularReferenceCells(this.index, this.order));
    const found: { id: number; cell: DifferentCell }[] = [];
    let equal = 0;
    for (const id of this.order) {
      if (notCompared.has(id)) continue;
      const outcome = this.compare(calculated, id);
      const reason = typeof outcome === 'string' ? this.notComparable(id, outcome, unsupported) : null;
      if (reason) {
        notCompared.add(id, reason);
        continue;
      }
      if (typeof outcome === 'string' || savedInputs.explain(id)) {
        equal += 1;
        continue;
      }
      const why = this.reason(id, unsupported.get(id), circularReferences, stale, savedInputs);
      this.differing.raise(id, id + 1);
      found.push({ id, cell: { ...outcome, reason: why, feedsOutput: this.feeds(id) } });
    }
    const cells = found.sort((a, b) => a.id - b.id).map(({ cell }) => cell);
    return { formulas: equal + cells.length, equal, different: cells.length, cells };
  }

  /** Returns the references of OFFSET and INDIRECT after the calculation; null if the engine does not know them. */
  private references(calculated: CalculationModel): (id: number) => readonly SheetBlock[] | null {
    const known = new Map<number, readonly SheetBlock[]>();
    return (id) => {
      if (!calculated.referencesOf) return null;
      let references = known.get(id);
      if (!references) {
        const { sheet, row, col } = this.index.cells[id]!;
        // Sheets of other workbooks come after the model's own sheets.
        references = calculated.referencesOf(sheet, row, col).filter((at) => at.sheet < this.model.sheets.length);
        known.set(id, references);
      }
      return references;
    };
  }

  /**
   * Excludes formulas that depend on a result which a second calculation cannot repeat, including dependencies through
   * calculated references.
   */
  private leaveOut(
    calculated: CalculationModel,
    volatile: readonly string[][],
    references: (id: number) => readonly SheetBlock[] | null,
    notCompared: NotCompared,
  ): void {
    const nonConverged = new Set(calculated.nonConverged?.().map(({ sheet, row, col }) => `${sheet}:${row}:${col}`));
    const isNonConverged = ({ sheet, row, col }: SheetCell): boolean => nonConverged.has(`${sheet}:${row}:${col}`);
    const dependents = transitiveDependents(
      this.index,
      this.order,
      (id) => volatile[id]!.length > 0 || (nonConverged.size > 0 && isNonConverged(this.index.cells[id]!)),
      (id) => references(id) ?? [],
    );
    for (const [id, root] of dependents) {
      notCompared.add(id, volatile[root]!.length > 0 ? 'Volatile' : 'CircularReference', root);
    }
  }

  private notComparable(
    id: number,
    outcome: 'equal' | 'NoSavedValue' | 'LargeArray',
    unsupported: ReadonlyMap<number, string>,
  ): NotComparedReason | null {
    if (outcome === 'NoSavedValue') return outcome;
    if (unsupported.has(id)) return 'Unsupported';
    if (this.readsUnsavedBook(id)) return 'ExternalLink';
    return outcome === 'equal' ? null : outcome;
  }

  /**
   * Returns true if the formula reads another workbook whose values are not in the file; it then shows the saved value.
   */
  private readsUnsavedBook(id: number): boolean {
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
  ): 'equal' | 'NoSavedValue' | 'LargeArray' | Omit<DifferentCell, 'reason' | 'feedsOutput'> {
    const { sheet, row, col, cell, formula } = this.index.cells[id]!;
    const own = this.saved.at(sheet, cell);
    if (own === null) return 'NoSavedValue';
    const block = FILLS_BLOCK.has(formula.kind) ? formula.block : undefined;
    for (const position of resultCells(block, row, col)) {
      const isAnchor = position.row === row && position.col === col;
      const saved = isAnchor ? own : this.saved.find(sheet, position.row, position.col);
      const got = calculated.value(sheet, position.row, position.col);
      if (sameValue(saved, got, this.booleansAreNumbers)) continue;
      return {
        sheet: this.model.sheets[sheet]!.name,
        cell: formatCell(position.row, position.col),
        formula: textAt(this.index.cells[id]!),
        saved: reported(saved),
        got: reported(got),
      };
    }
    return block && isTooLarge(block) ? 'LargeArray' : 'equal';
  }

  private reason(
    id: number,
    unsupported: string | undefined,
    circularReferences: ReadonlySet<number>,
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
    if (link) {
      const file = link.target.slice(0, MAX_LINK_LENGTH);
      return link.isSaved ? `external link ${file}` : `external link ${file}, not saved with the file`;
    }
    if (circularReferences.has(id)) return 'circular reference';
    for (const { sheet, block } of this.index.precedents(id).areas) {
      const other = this.differing.max(sheet, block) - 1;
      if (other < 0 || other === id) continue;
      const at = this.index.cells[other]!;
      return `depends on ${this.model.sheets[at.sheet]!.name}!${formatCell(at.row, at.col)} that differs`;
    }
    return stale.reason(id) ?? (savedInputs.isOfLastDigits(id) ? LAST_DIGITS : 'different value');
  }
}

/**
 * Recalculates. Circular references leave their cells in error and all others calculated; the comparison shows which.
 * Returns the engine's message on them, or null.
 */
function recalculate(calculated: CalculationModel): string | null {
  try {
    calculated.recalculate();
    return null;
  } catch (error) {
    if (!(error instanceof CalculationError) || error.code !== 'circular') throw error;
    return error.message;
  }
}

function dispose(calculated: CalculationModel): void {
  try {
    calculated.dispose();
  } catch (error) {
    // An engine that has stopped cannot free its memory; the error that stopped it was already thrown.
    if (!(error instanceof CalculationError)) throw error;
  }
}

function reported(value: CellValue): ReportedValue {
  return value instanceof CellError ? value.code : value;
}
