/** Parsed workbooks kept by version, so that a run begins with a copy in memory instead of a file. */
import type { CalculationEngine, CalculationModel } from '#server/calculation/engine.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { openPackage } from '../package.ts';

export interface WarmWorkbook {
  original: Uint8Array;
  model: WorkbookModel;
  /** Never written to: runs work on copies. */
  base: CalculationModel;
  /** Roughly what it takes, in bytes. */
  size: number;
}

export interface WarmWorkbooks {
  /** The workbook of a version, read where it is not kept. Errors of `read` and of the reader pass through. */
  get(versionKey: string, read: () => Promise<Uint8Array>): Promise<WarmWorkbook>;
  has(versionKey: string): boolean;
}

export interface WarmBounds {
  count: number;
  bytes: number;
}

/** Least recently used go first, when there are too many or they take too much; the newest always stays. */
export function createWarmWorkbooks(engine: CalculationEngine, bounds: WarmBounds): WarmWorkbooks {
  const kept = new Map<string, WarmWorkbook>();

  const makeRoom = (): void => {
    let bytes = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, workbook] of kept) {
      if (kept.size <= 1 || (kept.size <= bounds.count && bytes <= bounds.bytes)) return;
      kept.delete(key);
      bytes -= workbook.size;
      workbook.base.dispose();
    }
  };

  return {
    has: (versionKey) => kept.has(versionKey),
    async get(versionKey, read) {
      const known = kept.get(versionKey);
      if (known) {
        // A Map keeps the order of insertion: the last one is the most recently used.
        kept.delete(versionKey);
        kept.set(versionKey, known);
        return known;
      }
      const original = await read();
      const model = readWorkbook(await openPackage(original));
      const workbook = { original, model, base: engine.load(model), size: sizeOf(original, model) };
      kept.set(versionKey, workbook);
      makeRoom();
      return workbook;
    },
  };
}

/** Bytes an engine takes for a cell or formula, roughly: IronCalc's model of a million cells takes some 300 MB. */
const CELL_BYTES = 320;

function sizeOf(original: Uint8Array, model: WorkbookModel): number {
  const cells = model.sheets.reduce((sum, sheet) => sum + sheet.cells.count, 0);
  const texts = model.strings.reduce((sum, text) => sum + text.length * 2 + 32, 0);
  return original.byteLength + texts + cells * CELL_BYTES;
}
