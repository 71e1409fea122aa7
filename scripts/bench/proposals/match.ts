/** Compares the proposals for a workbook with the labels that people gave it. */
import type { Proposal, ProposalRole } from '#shared/contract/proposals.ts';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';

/** An input or output that an author must have. */
export interface LabelledMark {
  /** 'Sheet!B4' or 'Sheet!B4:D9'. Any one of them is correct. */
  ranges: string[];
  /** Texts of the workbook that name it. Empty if the name is not judged. */
  names: string[];
}

export interface LabelledWorkbook {
  repository: string;
  path: string;
  commit: string;
  sha256: string;
  /** 'tuned' if the workbook was used while the rules were written, 'kept' if it is reserved for the measurement. */
  part: 'tuned' | 'kept';
  inputs: LabelledMark[];
  outputs: LabelledMark[];
  /** Areas in which additional inputs or outputs are correct, although nobody needs them. */
  alsoInputs: string[];
  alsoOutputs: string[];
}

export interface MatchCounts {
  input: { found: number; wanted: number };
  output: { found: number; wanted: number };
  /** How many of the preselected proposals are correct. */
  right: number;
  preselected: number;
  /** How many of the judged names are correct. `judged` counts the marks found that have names to compare. */
  named: number;
  judged: number;
  problems: string[];
}

const FIRST = 12;
/** Minimum share of common cells among the cells of either range. */
const MIN_OVERLAP = 0.5;

export function countMatches(workbook: LabelledWorkbook, proposals: readonly Proposal[]): MatchCounts {
  const counts: MatchCounts = {
    input: { found: 0, wanted: 0 },
    output: { found: 0, wanted: 0 },
    right: 0,
    preselected: 0,
    named: 0,
    judged: 0,
    problems: [],
  };
  const marks = { input: workbook.inputs, output: workbook.outputs };
  for (const role of ['input', 'output'] as const) {
    for (const mark of marks[role]) {
      counts[role].wanted++;
      const found = proposals.slice(0, FIRST).find((proposal) => proposal.role === role && isMark(mark, proposal));
      if (!found) {
        counts.problems.push(`MISSING ${role} ${mark.ranges[0]} ${mark.names[0] ?? ''}`);
        continue;
      }
      counts[role].found++;
      if (mark.names.length === 0) continue;
      counts.judged++;
      if (mark.names.some((name) => isSameName(name, found.name))) counts.named++;
      else counts.problems.push(`NAME ${mark.ranges[0]} is ${found.name}, not ${mark.names.join(' or ')}`);
    }
  }
  for (const proposal of proposals.filter(({ preselected }) => preselected)) {
    counts.preselected++;
    if (isRight(workbook, proposal)) counts.right++;
    else counts.problems.push(`WRONG ${proposal.role} ${proposal.sheet}!${proposal.range} ${proposal.name}`);
  }
  return counts;
}

const isMark = ({ ranges }: LabelledMark, proposal: Proposal): boolean =>
  ranges.some((range) => overlapOf(range, proposal) >= MIN_OVERLAP);

function isRight(workbook: LabelledWorkbook, proposal: Proposal): boolean {
  const marks: Record<ProposalRole, LabelledMark[]> = { input: workbook.inputs, output: workbook.outputs };
  const also: Record<ProposalRole, string[]> = { input: workbook.alsoInputs, output: workbook.alsoOutputs };
  return (
    marks[proposal.role].some((mark) => isMark(mark, proposal)) ||
    also[proposal.role].some((area) => isInside(area, proposal))
  );
}

function overlapOf(range: string, proposal: Proposal): number {
  const [sheet, block] = parse(range);
  const own = parseBlock(proposal.range)!;
  if (sheet !== proposal.sheet) return 0;
  const shared = {
    top: Math.max(block.top, own.top),
    left: Math.max(block.left, own.left),
    bottom: Math.min(block.bottom, own.bottom),
    right: Math.min(block.right, own.right),
  };
  if (shared.top > shared.bottom || shared.left > shared.right) return 0;
  return sizeOf(shared) / (sizeOf(block) + sizeOf(own) - sizeOf(shared));
}

function isInside(area: string, { sheet, range }: Proposal): boolean {
  const [ownSheet, block] = parse(area);
  const own = parseBlock(range)!;
  return (
    sheet === ownSheet &&
    own.top >= block.top &&
    own.left >= block.left &&
    own.bottom <= block.bottom &&
    own.right <= block.right
  );
}

function parse(range: string): [string, CellBlock] {
  const mark = range.lastIndexOf('!');
  return [range.slice(0, mark), parseBlock(range.slice(mark + 1))!];
}

const sizeOf = ({ top, left, bottom, right }: CellBlock): number => (bottom - top + 1) * (right - left + 1);

/** Compares names without units, punctuation and case. A heading before the name is also correct. */
function isSameName(label: string, name: string): boolean {
  const words = (text: string): string[] =>
    text
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const plain = label.replace(/[([][^()[\]]*[)\]]\s*:?\s*$/u, '');
  const nameWords = words(name);
  const wanted = [words(label), words(plain)].filter(({ length }) => length > 0);
  return wanted.some(
    (own) => own.join(' ') === nameWords.join(' ') || ` ${nameWords.join(' ')}`.endsWith(` ${own.join(' ')}`),
  );
}
