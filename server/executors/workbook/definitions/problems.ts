/** Collects all problems of a workbook, so that the author sees them together. */
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';

/**
 * Maximum number of reported problems. More would not help, and a table with a million bad rows must not produce a
 * million sentences.
 */
const MAX_PROBLEMS = 200;

/** Location of a problem; '' for the whole file. */
export interface ProblemLocation {
  sheet: string;
  cell: string;
}

/** What is wrong, and how to fix it, each in one sentence. */
export interface Problem {
  message: string;
  howToFix: string;
}

export interface ProblemList {
  readonly problems: WorkbookProblem[];
  add(location: ProblemLocation, problem: Problem): void;
}

export const WHOLE_FILE: ProblemLocation = { sheet: '', cell: '' };

export function createProblemList(): ProblemList {
  const problems: WorkbookProblem[] = [];
  return {
    problems,
    add(location, { message, howToFix }) {
      if (problems.length >= MAX_PROBLEMS) return;
      const isKnown = problems.some(
        (known) => known.Message === message && known.Cell === location.cell && known.Sheet === location.sheet,
      );
      if (!isKnown) problems.push({ Sheet: location.sheet, Cell: location.cell, Message: message, Remedy: howToFix });
    },
  };
}

export const problem = (message: string, howToFix: string): Problem => ({ message, howToFix });
