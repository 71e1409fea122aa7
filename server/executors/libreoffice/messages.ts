/** What a calculating thread and the thread that keeps its office say to each other. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { AnyValue } from './urp-buffer.ts';
import type { Data } from './uno.ts';

export interface HostSettings {
  program: string;
  memoryBytes: number;
  /** Folders it is not to see. */
  hidden: readonly string[];
  /** Raised by one with each answer. */
  signal: Int32Array<SharedArrayBuffer>;
}

/** Constants for a block. */
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
  /** Numbers of documents are never used twice, not even by the next office. */
  open: number;
  write: null;
  calculate: null;
  read: AnyValue[][];
  errors: number[];
  logical: boolean[];
  close: null;
  stop: null;
}

/** `gone`: the office has ended, and with it all documents. */
export type Answer = { number: number } & ({ result: Results[keyof Results] } | { error: string; gone: boolean });
