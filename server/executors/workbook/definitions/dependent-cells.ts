/** Finds cells that depend on given areas, directly or through formulas. */
import type { CalculationModel } from '#server/calculation/engine.ts';
import { BlockMax } from '#server/calculation/graph/block-max.ts';
import { FormulaIndex } from '#server/calculation/graph/formula-index.ts';
import { transitiveDependents } from '#server/calculation/graph/properties.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import { calculationOrder } from '#server/calculation/graph/visit.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { intersectBlocks } from '#server/calculation/syntax/areas.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';

/** An area, and the part of it that is read. */
export interface Origin<T extends SheetBlock> {
  area: T;
  part: CellBlock;
}

/** Returns the area that the cells of a block lie in or depend on; null if there is none. */
export type FindOrigin<T extends SheetBlock> = (sheet: number, block: CellBlock) => Origin<T> | null;

/** `calculated` resolves OFFSET and INDIRECT with the values of the file. */
export function createOriginFinder(
  model: WorkbookModel,
  calculated: () => CalculationModel | null,
): <T extends SheetBlock>(areas: readonly T[]) => FindOrigin<T> {
  const index = new FormulaIndex(model);
  const { order } = calculationOrder(index);
  const createdReferences = (id: number): SheetBlock[] => {
    const { sheet, row, col } = index.cells[id]!;
    return calculated()?.referencesOf?.(sheet, row, col) ?? [];
  };
  return (areas) => {
    const originOf = (sheet: number, block: CellBlock) => {
      for (const area of areas) {
        const part = area.sheet === sheet ? intersectBlocks(area.block, block) : null;
        if (part) return { area, part };
      }
      return null;
    };
    const origins = new Map<number, NonNullable<ReturnType<typeof originOf>>>();
    const readsArea = (id: number): boolean => {
      const { areas: read, unknown } = index.precedents(id);
      for (const { sheet, block } of unknown ? [...read, ...createdReferences(id)] : read) {
        const origin = originOf(sheet, block);
        if (!origin) continue;
        origins.set(id, origin);
        return true;
      }
      return false;
    };
    const marks = new BlockMax(index);
    for (const [id, root] of transitiveDependents(index, order, readsArea, createdReferences))
      marks.raise(id, root + 1);
    return (sheet, block) => originOf(sheet, block) ?? origins.get(marks.max(sheet, block) - 1) ?? null;
  };
}
