/** Ensures that the workbook can be published with the preselected proposals. */
import { parseBlock, parseCell } from '#shared/codecs/cell-address.ts';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import type { Mark, ProposedMark } from '#shared/contract/designs.ts';
import { NO_CAPABILITIES } from '#server/executors/step-services.ts';
import type { Engines } from '../engines.ts';
import { checkMarks } from './check-marks.ts';

/**
 * Returns the proposals; those that the workbook refuses are no longer preselected. If the headings of a table cannot
 * be read, the letters of its columns are tried first.
 */
export async function usableProposals(
  bytes: Uint8Array,
  proposals: readonly ProposedMark[],
  engines: Engines,
): Promise<ProposedMark[]> {
  const withLetters = await changeRefused(bytes, proposals, engines, (one) =>
    isTable(one) ? { ...one, Options: { ...one.Options, Headers: 'FALSE' } } : { ...one, Preselected: false },
  );
  const byRange = new Map(proposals.map((one) => [keyOf(one), one]));
  return changeRefused(bytes, withLetters, engines, (one) => ({ ...byRange.get(keyOf(one))!, Preselected: false }));
}

async function changeRefused(
  bytes: Uint8Array,
  proposals: readonly ProposedMark[],
  engines: Engines,
  change: (proposal: ProposedMark) => ProposedMark,
): Promise<ProposedMark[]> {
  const marks = proposals.filter(({ Preselected }) => Preselected).map(markOf);
  if (marks.length === 0) return [...proposals];
  const { problems } = await checkMarks(
    bytes,
    { fileName: '', marks, capabilities: NO_CAPABILITIES, region: null },
    engines,
  );
  return proposals.map((one) =>
    one.Preselected && problems.some((problem) => isAbout(one, problem)) ? change(one) : one,
  );
}

const keyOf = ({ Role, Sheet, Range }: ProposedMark): string => `${Role} ${Sheet} ${Range}`;

const markOf = ({ Role, Name, Sheet, Range, Options }: ProposedMark): Mark => ({ Role, Name, Sheet, Range, Options });

function isTable({ Range }: ProposedMark): boolean {
  const { top, left, bottom, right } = parseBlock(Range)!;
  return bottom > top && right > left;
}

/**
 * A problem may be reported at a cell of the mark, or beside it, such as at the first of the cells merged with it. Its
 * message then names the mark.
 */
const isAbout = (one: ProposedMark, problem: WorkbookProblem): boolean =>
  isAt(one, problem) || problem.Message.includes(`'${one.Name}'`);

function isAt({ Sheet, Range }: ProposedMark, problem: WorkbookProblem): boolean {
  const cell = problem.Sheet === Sheet ? parseCell(problem.Cell) : null;
  const block = parseBlock(Range);
  if (!cell || !block) return false;
  return cell.row >= block.top && cell.row <= block.bottom && cell.col >= block.left && cell.col <= block.right;
}
