/** Selects the candidates to propose, and sorts them. */
import { formatBlock } from '#shared/codecs/cell-address.ts';
import { intersects } from '../definitions/blocks.ts';
import { PROPOSAL_LIMITS } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import { INPUT_WEIGHTS, RANK_WEIGHTS } from './weights.ts';

/** Size of the top of the list, which must contain what an author needs. */
const FIRST = 12;
/** Candidates with a lower score are noise. */
const MIN_SCORE = 0.22;
/** Inputs with a lower score are too unlikely to tell a result from a step before it. */
const LIKELY_INPUT = 0.5;

/** Returns how many of the inputs each of the outputs depends on. */
export type CountInputs = (inputs: readonly Candidate[], outputs: readonly Candidate[]) => number[];

interface Ranked {
  candidate: Candidate;
  rank: number;
}

/** Returns the candidates, best first; no two share cells. */
export function rankCandidates(candidates: readonly Candidate[], countInputs: CountInputs): Candidate[] {
  const sorted = withoutRepetition(candidates)
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score || inReadingOrder(a, b))
    .map((candidate) => ({ ...candidate, score: Math.min(1, candidate.score) }));
  const chosen = withoutOverlaps(sorted);
  const inputs = chosen.filter(({ role }) => role === 'input');
  const outputs = chosen.filter(({ role }) => role === 'output');
  const counts = countInputs(
    inputs.filter(({ score }) => score >= LIKELY_INPUT),
    outputs,
  );
  const ranked = [
    ...inNeed(inputs.map((candidate) => ({ candidate, rank: candidate.score }))).map(later(RANK_WEIGHTS.furtherInput)),
    ...inNeed(
      outputs.map((candidate, at) => ({
        candidate,
        rank: candidate.score + RANK_WEIGHTS.dependsOnInputs * Math.log1p(counts[at]!),
      })),
    ).map(later(RANK_WEIGHTS.furtherOutput)),
  ];
  const order = withBothRoles(inNeed(ranked).map(({ candidate }) => candidate));
  return [...byScore(order.slice(0, FIRST)), ...byScore(order.slice(FIRST))].slice(0, PROPOSAL_LIMITS.proposals);
}

const inNeed = (ranked: readonly Ranked[]): Ranked[] => ranked.toSorted((a, b) => b.rank - a.rank);

/** Lowers each candidate by its number among those of its role: few workbooks need many results. */
const later =
  (weight: number) =>
  ({ candidate, rank }: Ranked, number: number): Ranked => ({ candidate, rank: rank + weight * number });

/** Moves the best candidate of a role into the first places if they contain none of that role. */
function withBothRoles(order: readonly Candidate[]): Candidate[] {
  const first = order.slice(0, FIRST);
  const next = order.slice(FIRST).find(({ role }) => first.every((one) => one.role !== role));
  if (!next) return [...order];
  return [...first.slice(0, -1), next, ...order.slice(FIRST - 1).filter((one) => one !== next)];
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
