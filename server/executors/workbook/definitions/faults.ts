/** Collects all problems of a workbook, so that the author sees them together. */
import type { WorkbookFault } from '#shared/contract/fidelity.ts';

/**
 * Maximum number of reported problems. More would not help, and a table with a million bad rows must not produce a
 * million sentences.
 */
const MAX_PROBLEMS = 200;

/** Location of a problem; '' for the whole file. */
export interface FaultPlace {
  sheet: string;
  cell: string;
}

/** What is wrong, and how to fix it, each in one sentence. */
export interface Problem {
  message: string;
  remedy: string;
}

export interface FaultList {
  readonly faults: WorkbookFault[];
  add(place: FaultPlace, problem: Problem): void;
}

export const WHOLE_FILE: FaultPlace = { sheet: '', cell: '' };

export function createFaultList(): FaultList {
  const faults: WorkbookFault[] = [];
  return {
    faults,
    add(place, { message, remedy }) {
      if (faults.length >= MAX_PROBLEMS) return;
      const isKnown = faults.some(
        (fault) => fault.Message === message && fault.Cell === place.cell && fault.Sheet === place.sheet,
      );
      if (!isKnown) faults.push({ Sheet: place.sheet, Cell: place.cell, Message: message, Remedy: remedy });
    },
  };
}

export const problem = (message: string, remedy: string): Problem => ({ message, remedy });
