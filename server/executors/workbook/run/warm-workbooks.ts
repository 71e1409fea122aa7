/** Caches parsed workbooks by version, so that a run begins with a copy in memory instead of a file. */
import { CalculationError } from '#server/calculation/engine.ts';
import type { CalculationEngine, CalculationModel } from '#server/calculation/engine.ts';
import { isOfPeople } from '#server/calculation/locale-detection/workbook-region.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { makeOnce } from '../make-once.ts';
import { createLayouts } from '../room/layouts.ts';
import type { Layout, Load, MakeSpace } from '../room/layouts.ts';
import { parameterBlocks } from '../room/parameter-blocks.ts';
import { withCachedParts, openPackage } from '../package.ts';
import type { WorkbookPackage } from '../package.ts';

/** The version as it was published. The parts that runs rewrite stay unzipped. */
export interface WarmWorkbook extends Layout {
  makeSpace: MakeSpace;
  /** Approximate size in bytes. */
  readonly size: number;
  dispose(): void;
}

export interface WarmWorkbooks {
  /**
   * Returns the workbook of a version in its engine, and reads it if it is not cached. Calls `onCalculating` when
   * reading is done and the calculation starts. Errors of `read`, of the reader and of `engineOf` pass through.
   */
  get(
    versionKey: string,
    definition: ActivityDefinition,
    read: () => Promise<Uint8Array>,
    onCalculating?: () => void,
  ): Promise<WarmWorkbook>;
  has(versionKey: string): boolean;
}

export interface WarmBounds {
  count: number;
  bytes: number;
}

/**
 * Evicts the least recently used workbooks if there are too many or they use too much memory; the newest always stays.
 */
export function createWarmWorkbooks(
  engineOf: (definition: ActivityDefinition, model: WorkbookModel) => CalculationEngine,
  bounds: WarmBounds,
): WarmWorkbooks {
  const cache = new Map<string, WarmWorkbook>();

  const evictWorkbooks = (): void => {
    let bytes = [...cache.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, workbook] of cache) {
      if (cache.size <= 1 || (cache.size <= bounds.count && bytes <= bounds.bytes)) return;
      cache.delete(key);
      bytes -= workbook.size;
      workbook.dispose();
    }
  };

  return {
    has: (versionKey) => cache.has(versionKey),
    async get(versionKey, definition, read, onCalculating = () => undefined) {
      const known = cache.get(versionKey);
      if (known) {
        // A Map preserves the order of insertion, so the last entry is the most recently used.
        cache.delete(versionKey);
        cache.set(versionKey, known);
        return known;
      }
      const original = await read();
      const opened = await openPackage(original);
      const model = { ...readWorkbook(opened), ...regionOf(definition) };
      // Cache unzipped parts only from here on, so that parts that are read only once are not cached.
      const source = withCachedParts(opened, MAX_CACHED_PARTS_BYTES);
      const size = sizeOf(original, model) + Math.min(MAX_CACHED_PARTS_BYTES, sheetBytes(opened, model));
      const engine = engineOf(definition, model);
      const load = (wanted: WorkbookModel, onStart: () => void): ReturnType<Load> => ({
        base: ready(engine, wanted, onStart),
        missing: makeOnce(() => engine.unsupported(wanted)),
      });
      const workbook: WarmWorkbook = {
        source,
        model,
        insertions: [],
        ...load(model, onCalculating),
        makeSpace: (wanted) => layouts.makeSpace(wanted),
        get size() {
          return size * (1 + layouts.count());
        },
        dispose() {
          layouts.dispose();
          workbook.base.dispose();
        },
      };
      const layouts = createLayouts(workbook, parameterBlocks(definition), (wanted) => load(wanted, () => undefined));
      cache.set(versionKey, workbook);
      evictWorkbooks();
      return workbook;
    },
  };
}

/**
 * Uses the region that the workbook was checked with at upload, if a person chose it. Otherwise it is detected from the
 * file again.
 */
const regionOf = ({ region }: ActivityDefinition): Pick<WorkbookModel, 'regionWish'> =>
  region && isOfPeople(region) ? { regionWish: { chosen: region.id } } : {};

/**
 * Loads the workbook. Our own engine also calculates it once, so that runs calculate only what they change. Calculation
 * errors are ignored here, because every run finds them again.
 */
function ready(engine: CalculationEngine, model: WorkbookModel, onCalculating: () => void): CalculationModel {
  const base = engine.load(model);
  if (engine.name !== 'runsheet') return base;
  onCalculating();
  try {
    base.recalculate({ timeLimit: FIRST_CALCULATION });
  } catch (error) {
    if (!(error instanceof CalculationError)) throw error;
  }
  return base;
}

/** Time limit in milliseconds. If a workbook takes longer, each run calculates it within its own limit. */
const FIRST_CALCULATION = 10_000;

/** Maximum bytes of unzipped parts cached per workbook. */
const MAX_CACHED_PARTS_BYTES = 4 * 1024 * 1024;

function sheetBytes({ entries }: WorkbookPackage, { sheets }: WorkbookModel): number {
  const parts = new Set(sheets.map(({ part }) => part.toLowerCase()));
  return entries.reduce(
    (sum, { path, entry }) => (parts.has(path.toLowerCase()) ? sum + entry.uncompressedSize : sum),
    0,
  );
}

/** Approximate maximum bytes that an engine needs per cell or formula. */
const CELL_BYTES = 320;

function sizeOf(original: Uint8Array, model: WorkbookModel): number {
  const cells = model.sheets.reduce((sum, sheet) => sum + sheet.cells.count, 0);
  const texts = model.strings.reduce((sum, text) => sum + text.length * 2 + 32, 0);
  return original.byteLength + texts + cells * CELL_BYTES;
}
