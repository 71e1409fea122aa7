/** Candidates for proposals, and limits on their number. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { ProposalReason, ProposalRole, ProposalShape } from '#shared/contract/proposals.ts';

export interface Candidate {
  sheet: number;
  block: CellBlock;
  role: ProposalRole;
  shape: ProposalShape;
  hasHeaders: boolean;
  label: Label | null;
  /** Not yet clamped to the range 0 to 1. */
  score: number;
  reason: ProposalReason;
}

/** A text that names cells. */
export interface Label {
  row: number;
  col: number;
  /** Without its unit and marks. */
  text: string;
  /** As written in the cell. */
  raw: string;
  unit: string | null;
  at: 'left' | 'above' | 'right' | 'diagonal';
}

export type CandidateDetails = Pick<Candidate, 'shape' | 'hasHeaders' | 'label' | 'score' | 'reason'>;

/** Creates a candidate whose reason names its label. */
export function createCandidate(
  sheet: number,
  block: CellBlock,
  role: ProposalRole,
  details: CandidateDetails,
): Candidate {
  const { label, reason } = details;
  const said = label ? { ...reason, label: label.text, labelAt: label.at } : reason;
  return { sheet, block, role, ...details, reason: said };
}

export const PROPOSAL_LIMITS = {
  proposals: 60,
  /** Maximum number of these that are preselected. */
  inputs: 12,
  outputs: 8,
  /** Minimum score of a preselected proposal. */
  preselected: 0.55,
  /** Maximum number of stored cells read per sheet, from its start. */
  sheetCells: 300_000,
  cells: 1_500_000,
  /** Maximum number of blocks read by formulas. */
  reads: 400_000,
  /** Maximum number of candidates per sheet before the best are chosen. */
  candidates: 5_000,
} as const;
