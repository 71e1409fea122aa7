/** Formulas that were not compared with their saved values, and the outputs that depend on them. */
import { formatCell, MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import type { FidelityReport, NotComparedCell, NotComparedReason, OutputBlock } from './fidelity-report.ts';
import { BlockMax } from './graph/block-max.ts';
import { textAt } from './graph/formula-index.ts';
import type { FormulaIndex } from './graph/formula-index.ts';
import type { Precedents } from './graph/precedents.ts';
import { transitiveDependents } from './graph/properties.ts';
import type { SheetBlock } from './graph/scope.ts';
import { feeding } from './graph/visit.ts';
import type { WorkbookModel } from './reader/workbook-model.ts';

const MAX_REPORTED = 1000;

type Counts = Pick<
  FidelityReport,
  'notCompared' | 'notComparedFeedingOutputs' | 'notComparedReasons' | 'notComparedCells' | 'notComparedOutputs'
>;

export interface NotComparedDeps {
  model: WorkbookModel;
  index: FormulaIndex;
  order: Int32Array;
  /** Returns the references of OFFSET and INDIRECT in a formula; null if the engine does not know them. */
  references(id: number): readonly SheetBlock[] | null;
}

export class NotCompared {
  private readonly deps: NotComparedDeps;
  private readonly formulas = new Map<number, { reason: NotComparedReason; root: number }>();

  constructor(deps: NotComparedDeps) {
    this.deps = deps;
  }

  has(id: number): boolean {
    return this.formulas.has(id);
  }

  /** `root` is the formula to which the reason applies; `id` depends on it or is the same formula. */
  add(id: number, reason: NotComparedReason, root = id): void {
    this.formulas.set(id, { reason, root });
  }

  /** Without `outputs`, every formula counts as one that an output depends on. */
  report(outputs: readonly OutputBlock[] | null): Counts {
    const feeds = this.feeds(outputs);
    const reasons = new Map<NotComparedReason, number>();
    const feeding: number[] = [];
    const others: number[] = [];
    for (const [id, { reason }] of this.formulas) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      (feeds(id) ? feeding : others).push(id);
    }
    const cells = (ids: number[], feedsOutput: boolean): NotComparedCell[] =>
      ids
        .sort((a, b) => a - b)
        .slice(0, MAX_REPORTED)
        .map((id) => this.cell(id, feedsOutput));
    return {
      notCompared: this.formulas.size,
      notComparedFeedingOutputs: feeding.length,
      notComparedReasons: [...reasons]
        .map(([reason, formulas]) => ({ reason, formulas }))
        .sort((a, b) => b.formulas - a.formulas),
      notComparedCells: [...cells(feeding, true), ...cells(others, false)].slice(0, MAX_REPORTED),
      notComparedOutputs: outputs && feeding.length > 0 ? this.outputs(outputs) : [],
    };
  }

  private cell(id: number, feedsOutput: boolean): NotComparedCell {
    const { reason, root } = this.formulas.get(id)!;
    const { index } = this.deps;
    const at = this.locationOf(root);
    const dependsOn = root === id ? null : `${at.sheet}!${at.cell}`;
    return { ...this.locationOf(id), formula: textAt(index.cells[id]!), reason, dependsOn, feedsOutput };
  }

  private locationOf(id: number): { sheet: string; cell: string } {
    const { sheet, row, col } = this.deps.index.cells[id]!;
    return { sheet: this.deps.model.sheets[sheet]!.name, cell: formatCell(row, col) };
  }

  private feeds(outputs: readonly OutputBlock[] | null): (id: number) => boolean {
    if (!outputs) return () => true;
    if (this.formulas.size === 0) return () => false;
    return feeding(this.deps.index, [...outputs], (id) => this.read(id)).feeds;
  }

  private read(id: number): Precedents {
    const { areas, unknown } = this.deps.index.precedents(id);
    const found = unknown ? this.deps.references(id) : [];
    return found ? { areas: [...areas, ...found], unknown: false } : { areas, unknown };
  }

  /** Returns, for each output, the formula that is the origin of the reason. */
  private outputs(outputs: readonly OutputBlock[]): FidelityReport['notComparedOutputs'] {
    const { model, index, order } = this.deps;
    const any = model.sheets.map((_, sheet) => ({
      sheet,
      block: { top: 0, left: 0, bottom: MAX_ROWS - 1, right: MAX_COLS - 1 },
    }));
    const dependents = transitiveDependents(
      index,
      order,
      (id) => this.formulas.has(id),
      (id) => this.deps.references(id) ?? any,
    );
    const marks = new BlockMax(index);
    for (const [id, root] of dependents) marks.raise(id, root + 1);
    const found: FidelityReport['notComparedOutputs'] = [];
    for (const { name, sheet, block } of outputs) {
      const id = marks.max(sheet, block) - 1;
      if (name === undefined || id < 0 || found.length === MAX_REPORTED) continue;
      const { reason, root } = this.formulas.get(id)!;
      found.push({ output: name, ...this.locationOf(root), reason });
    }
    return found;
  }
}
