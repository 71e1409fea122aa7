/**
 * The programs that the benches compare with, and types for the parts that are called. The programs are installed only
 * when a bench runs, so types must be checked without them.
 */
import { createRequire } from 'node:module';

const requirePeer = createRequire(new URL('./peers/package.json', import.meta.url));

/** Returns the path of the file from which a peer is loaded. */
export const resolvePeer = (name: string): string => requirePeer.resolve(name);

type ArrayStructure = string | { DynamicAnchor: [width: number, height: number] } | { SingleCell: unknown };
export interface IronCalcModelApi {
  toBytes(): Uint8Array;
  free(): void;
  pauseEvaluation(): void;
  evaluate(): void;
  newSheet(): void;
  renameSheet(sheet: number, name: string): void;
  setUserInput(sheet: number, row: number, column: number, text: string): void;
  setUserArrayFormula(sheet: number, row: number, column: number, width: number, height: number, formula: string): void;
  setRowsHidden(sheet: number, first: number, last: number, hidden: boolean): void;
  updateRangeStyle(
    range: { sheet: number; row: number; column: number; width: number; height: number },
    path: string,
    value: string,
  ): void;
  getCellContent(sheet: number, row: number, column: number): string;
  getFormattedCellValue(sheet: number, row: number, column: number): string;
  getCellType(sheet: number, row: number, column: number): number;
  getCellArrayStructure(sheet: number, row: number, column: number): ArrayStructure;
}
interface IronCalc {
  Model: {
    new (name: string, locale: string, timeZone: string, language: string): IronCalcModelApi;
    from_bytes(bytes: Uint8Array, language: string): IronCalcModelApi;
  };
  initSync(options: { module: Uint8Array<ArrayBuffer> }): unknown;
}

export const loadIronCalc = (): IronCalc => requirePeer('@ironcalc/wasm') as IronCalc;

interface Book {
  rebuildAndRecalculate(): void;
  batch(changes: () => void): void;
  setCellContents(at: { sheet: number; row: number; col: number }, value: unknown): void;
  getRangeValues(range: object): (number | string | boolean | null)[][];
  destroy(): void;
}
interface HyperFormulaModule {
  HyperFormula: { buildFromSheets(sheets: object, options: object, names: object[]): Book };
}

export const loadHyperFormula = (): HyperFormulaModule => requirePeer('hyperformula') as HyperFormulaModule;

interface UniverWorkbook {
  getSheetBySheetId(id: string): { getCellRaw(row: number, column: number): { v?: unknown } | null } | null;
}

interface CommandService {
  onCommandExecuted(listener: (command: { id: string; params?: unknown }) => void): { dispose(): void };
  executeCommand(id: string, params: object, options?: object): Promise<unknown>;
}

interface UniverProgram {
  registerPlugin(plugin: unknown): void;
  createUnit(type: number, data: object): UniverWorkbook;
  __getInjector(): { get(token: unknown): CommandService };
}

interface UniverModules {
  core: {
    LocaleType: { EN_US: string };
    LogLevel: { SILENT: number };
    UniverInstanceType: { UNIVER_SHEET: number };
    ICommandService: unknown;
    Univer: new (options: object) => UniverProgram;
  };
  formula: {
    UniverFormulaEnginePlugin: unknown;
    SetFormulaCalculationNotificationMutation: { id: string };
    SetFormulaCalculationStartMutation: { id: string };
  };
  sheets: { UniverSheetsPlugin: unknown; SetRangeValuesMutation: { id: string } };
  sheetsFormula: { UniverSheetsFormulaPlugin: unknown };
}

/** Univer's ES modules do not load in Node, but its CommonJS modules do. */
export const loadUniver = (): UniverModules => ({
  core: requirePeer('@univerjs/core') as UniverModules['core'],
  formula: requirePeer('@univerjs/engine-formula') as UniverModules['formula'],
  sheets: requirePeer('@univerjs/sheets') as UniverModules['sheets'],
  sheetsFormula: requirePeer('@univerjs/sheets-formula') as UniverModules['sheetsFormula'],
});

interface Job {
  id: string;
  state?: string;
  output?: unknown;
  data: unknown;
}
export interface PgBoss {
  start(): Promise<unknown>;
  stop(options: { graceful: boolean }): Promise<void>;
  createQueue(name: string): Promise<void>;
  work(name: string, options: object, handle: (jobs: Job[]) => Promise<unknown>): Promise<string>;
  offWork(name: string): Promise<void>;
  send(name: string, data: object): Promise<string | null>;
  fetch(name: string): Promise<Job[]>;
  complete(name: string, id: string, data: object): Promise<void>;
  getJobById(name: string, id: string): Promise<Job | null>;
}
interface PgBossOptions {
  connectionString: string;
  supervise: boolean;
  schedule: boolean;
}

export const createPgBoss = (options: PgBossOptions): PgBoss =>
  new (requirePeer('pg-boss') as new (options: PgBossOptions) => PgBoss)(options);
