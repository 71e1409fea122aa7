/** Parsed workbooks kept by version, so that a run begins with a copy in memory instead of a file. */
import { CalculationError } from '#server/calculation/engine.ts';
import type { CalculationEngine, CalculationModel } from '#server/calculation/engine.ts';
import { isOfPeople } from '#server/calculation/locale-detection/workbook-region.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { ActivityDefinition } from '#server/executors/executor.ts';
import { makeOnce } from '../make-once.ts';
import { createLayouts } from '../room/layouts.ts';
import type { Layout, Load, MakeRoom } from '../room/layouts.ts';
import { parameterBlocks } from '../room/parameter-blocks.ts';
import { keepParts, openPackage } from '../package.ts';
import type { WorkbookPackage } from '../package.ts';

/** The version as it was published; the parts that runs rewrite stay unzipped. */
export interface WarmWorkbook extends Layout {
  makeRoom: MakeRoom;
  /** Roughly what it takes, in bytes. */
  readonly size: number;
  dispose(): void;
}

export interface WarmWorkbooks {
  /** The workbook of a version in its engine, read where it is not kept; `onCalculating` is told when that is done and it is calculated. Errors of `read`, of the reader and of `engineOf` pass through. */
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

/** Least recently used go first, when there are too many or they take too much; the newest always stays. */
export function createWarmWorkbooks(
  engineOf: (definition: ActivityDefinition, model: WorkbookModel) => CalculationEngine,
  bounds: WarmBounds,
): WarmWorkbooks {
  const cache = new Map<string, WarmWorkbook>();

  const makeRoom = (): void => {
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
        // A Map keeps the order of insertion: the last one is the most recently used.
        cache.delete(versionKey);
        cache.set(versionKey, known);
        return known;
      }
      const original = await read();
      const opened = await openPackage(original);
      const model = { ...readWorkbook(opened), ...regionOf(definition) };
      // From here on, so that what is read only once is not cached.
      const source = keepParts(opened, KEPT_PARTS_BYTES);
      const size = sizeOf(original, model) + Math.min(KEPT_PARTS_BYTES, sheetBytes(opened, model));
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
        makeRoom: (wanted) => layouts.makeRoom(wanted),
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
      makeRoom();
      return workbook;
    },
  };
}

/** As the workbook was checked with at its upload; what the file tells, it tells again. */
const regionOf = ({ region }: ActivityDefinition): Pick<WorkbookModel, 'regionWish'> =>
  region && isOfPeople(region) ? { regionWish: { chosen: region.id } } : {};

/** Loaded and calculated once, so that runs calculate no more than what they change. What a calculation finds wrong, each run finds again. */
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

/** Milliseconds; a workbook that takes longer is calculated by each run, within its own time. */
const FIRST_CALCULATION = 10_000;

/** Unzipped parts a workbook keeps, at most. */
const KEPT_PARTS_BYTES = 4 * 1024 * 1024;

function sheetBytes({ entries }: WorkbookPackage, { sheets }: WorkbookModel): number {
  const parts = new Set(sheets.map(({ part }) => part.toLowerCase()));
  return entries.reduce(
    (sum, { path, entry }) => (parts.has(path.toLowerCase()) ? sum + entry.uncompressedSize : sum),
    0,
  );
}

/** Bytes an engine takes for a cell or formula at most, roughly. */
const CELL_BYTES = 320;

function sizeOf(original: Uint8Array, model: WorkbookModel): number {
  const cells = model.sheets.reduce((sum, sheet) => sum + sheet.cells.count, 0);
  const texts = model.strings.reduce((sum, text) => sum + text.length * 2 + 32, 0);
  return original.byteLength + texts + cells * CELL_BYTES;
}
