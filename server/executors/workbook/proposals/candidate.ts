/** Proposals in the making, and how many there may be. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { ProposalReason, ProposalRole, ProposalShape } from '#shared/contract/proposals.ts';

export interface Candidate {
  sheet: number;
  block: CellBlock;
  role: ProposalRole;
  shape: ProposalShape;
  hasHeaders: boolean;
  label: Label | null;
  /** Not yet within 0 and 1. */
  score: number;
  reason: ProposalReason;
}

/** A text that names cells. */
export interface Label {
  row: number;
  col: number;
  /** Without its unit and marks. */
  text: string;
  /** As it stands in the cell. */
  raw: string;
  unit: string | null;
  at: 'left' | 'above' | 'right' | 'diagonal';
}

export type CandidateDetails = Pick<Candidate, 'shape' | 'hasHeaders' | 'label' | 'score' | 'reason'>;

/** A candidate whose reason names its label. */
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
  /** Of these, the most that are preselected. */
  inputs: 12,
  outputs: 8,
  /** The score from which on a proposal is preselected. */
  preselected: 0.55,
  /** Stored cells of a sheet that are looked at: the first ones. */
  sheetCells: 300_000,
  cells: 1_500_000,
  /** Blocks that formulas read. */
  reads: 400_000,
  /** Candidates of each sheet before the best are chosen. */
  candidates: 5_000,
} as const;
