/** Selects the candidates to propose, and sorts them. */
import { formatBlock } from '#shared/codecs/cell-address.ts';
import { intersects } from '../definitions/blocks.ts';
import { PROPOSAL_LIMITS } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import { INPUT_WEIGHTS, RANK_WEIGHTS } from './weights.ts';

/** Size of the top of the list, which must contain what an author needs. */
const FIRST = 12;
const MIN_OUTPUTS = 4;
const MAX_OUTPUTS = 6;
/** Candidates with a lower score are noise. */
const MIN_SCORE = 0.22;
/** Minimum scores of a likely mark when the top places are divided between inputs and outputs. */
const LIKELY_INPUT = 0.5;
const LIKELY_OUTPUT = 0.7;

/** Returns the candidates, best first; no two share cells. */
export function rankCandidates(candidates: readonly Candidate[]): Candidate[] {
  const sorted = withoutRepetition(candidates)
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score || inReadingOrder(a, b))
    .map((candidate) => ({ ...candidate, score: Math.min(1, candidate.score) }));
  const chosen = withoutOverlaps(sorted);
  const inputs = chosen.filter(({ role }) => role === 'input');
  const outputs = chosen.filter(({ role }) => role === 'output');
  const outputCount = countOutputs(inputs, outputs);
  const first = [...inputs.slice(0, FIRST - outputCount), ...outputs.slice(0, outputCount)];
  const rest = [...inputs.slice(FIRST - outputCount), ...outputs.slice(outputCount)];
  return [...byScore(first), ...byScore(rest)].slice(0, PROPOSAL_LIMITS.proposals);
}

/** Few workbooks have more tables to fill in than this: further ones are price lists and the like. */
const TABLES = 3;

/**
 * Lowers the scores of sheets that copy another sheet, and of blocks that repeat one beside them. Also lowers later
 * sheets and lower rows, because authors put what matters first.
 */
function withoutRepetition(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  let tables = 0;
  return candidates.toSorted(inReadingOrder).map((candidate) => {
    const { role, label, sheet, block } = candidate;
    const key = label ? `${role} ${label.text.toLowerCase()}` : '';
    const isRepeated = seen.has(key);
    const blockKey = `${key} ${formatBlock(block)}`;
    const isCopy = seen.has(blockKey);
    if (label) seen.add(key).add(blockKey);
    const lower = INPUT_WEIGHTS.lower * Math.min(1, block.top / 60);
    const isFurther = role === 'input' && candidate.shape === 'table' && candidate.score > 0.5 && ++tables > TABLES;
    let score = candidate.score + RANK_WEIGHTS.laterSheet * Math.min(4, sheet);
    if (role === 'input') score += lower;
    if (isRepeated || isFurther) score += RANK_WEIGHTS.repeated;
    if (isCopy) score += RANK_WEIGHTS.copy;
    return { ...candidate, score };
  });
}

const byScore = (candidates: readonly Candidate[]): Candidate[] => candidates.toSorted((a, b) => b.score - a.score);

function inReadingOrder(a: Candidate, b: Candidate): number {
  return a.sheet - b.sheet || a.block.top - b.block.top || a.block.left - b.block.left;
}

/** Chooses enough of both roles to fill the list. */
function withoutOverlaps(sorted: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = [];
  const counts = { input: 0, output: 0 };
  for (const candidate of sorted) {
    if (counts[candidate.role] >= PROPOSAL_LIMITS.proposals) continue;
    const isTaken = chosen.some(({ sheet, block }) => sheet === candidate.sheet && intersects(block, candidate.block));
    if (isTaken) continue;
    chosen.push(candidate);
    counts[candidate.role]++;
  }
  return chosen;
}

function countOutputs(inputs: readonly Candidate[], outputs: readonly Candidate[]): number {
  const likelyInputs = inputs.filter(({ score }) => score >= LIKELY_INPUT).length;
  const likelyOutputs = outputs.filter(({ score }) => score >= LIKELY_OUTPUT).length;
  const share = Math.round((FIRST * likelyOutputs) / Math.max(1, likelyInputs + likelyOutputs));
  const wanted = Math.min(MAX_OUTPUTS, Math.max(MIN_OUTPUTS, share));
  return Math.min(outputs.length, Math.max(wanted, FIRST - inputs.length));
}
