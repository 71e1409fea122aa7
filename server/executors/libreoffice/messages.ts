/** Messages between a calculation thread and the thread that manages its office process. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { AnyValue } from './urp-buffer.ts';
import type { Data } from './uno.ts';

export interface HostSettings {
  program: string;
  memoryBytes: number;
  /** Folders that the office process must not see. */
  hidden: readonly string[];
  /** Incremented with each answer. */
  signal: Int32Array<SharedArrayBuffer>;
}

/** Constants to write to a block. */
export interface DataWrite {
  sheet: number;
  block: CellBlock;
  rows: Data[][];
}

export interface FormulaWrite {
  sheet: number;
  block: CellBlock;
  rows: string[][];
}

export type Command =
  | { kind: 'functions'; file: Uint8Array }
  | { kind: 'open'; file: Uint8Array }
  | { kind: 'write'; document: number; data: DataWrite[]; formulas: FormulaWrite[] }
  | { kind: 'calculate'; document: number; all: boolean }
  | { kind: 'read'; document: number; sheet: number; block: CellBlock }
  | { kind: 'errors'; document: number; sheet: number; cells: CellPosition[] }
  | { kind: 'logical'; document: number; scratch: number; references: string[] }
  | { kind: 'close'; document: number }
  | { kind: 'stop' };

export interface Results {
  functions: string[];
  /** Document numbers are unique, even across restarts of the office process. */
  open: number;
  write: null;
  calculate: null;
  read: AnyValue[][];
  errors: number[];
  logical: boolean[];
  close: null;
  stop: null;
}

/** `gone` is true if the office process has ended, and with it all documents. */
export type Answer = { number: number } & ({ result: Results[keyof Results] } | { error: string; gone: boolean });
