/** Faults of a workbook, collected: an author hears of all of them at once. */
import type { WorkbookFault } from '#shared/contract/fidelity.ts';

/** More help nobody, and a table of a million bad rows must not make a million sentences. */
const MOST_FAULTS = 200;

/** Where a fault stands: '' for the whole file. */
export interface FaultPlace {
  sheet: string;
  cell: string;
}

/** What is wrong, and how to mend it, each in a sentence. */
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
      if (faults.length >= MOST_FAULTS) return;
      const isKnown = faults.some(
        (fault) => fault.Message === message && fault.Cell === place.cell && fault.Sheet === place.sheet,
      );
      if (!isKnown) faults.push({ Sheet: place.sheet, Cell: place.cell, Message: message, Remedy: remedy });
    },
  };
}

export const problem = (message: string, remedy: string): Problem => ({ message, remedy });
