/** Determines which step an arrow key leads to in the graph. */
import { NODE_HEIGHT, type PlacedStep, type StepPosition } from './graph-layout.ts';

export type Direction = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

export const isDirection = (key: string): key is Direction => /^Arrow(Up|Down|Left|Right)$/.test(key);

/** Each direction as the axis on which it leads to other steps, and its sign on this axis. */
export const VECTORS: Record<Direction, StepPosition> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** Steps beside the direction are as far away as if they were this many times further ahead. */
const BESIDE_FACTOR = 2;

/**
 * Returns the key of the nearest step in a direction; null if there is none. Up and down prefer the steps before and
 * after the step, so that the arrow keys follow the edges.
 */
export function neighbourOf(
  steps: readonly Pick<PlacedStep, 'Key' | 'After'>[],
  positions: ReadonlyMap<string, StepPosition>,
  key: string,
  direction: Direction,
): string | null {
  const here = positions.get(key);
  if (!here) return null;
  const isConnected = connectedTo(steps, key, direction);
  const vector = VECTORS[direction];
  let nearest: { key: string; distance: number; isConnected: boolean } | null = null;
  for (const { Key } of steps) {
    const there = positions.get(Key);
    if (!there || Key === key) continue;
    const [dx, dy] = [there.x - here.x, there.y - here.y];
    const ahead = dx * vector.x + dy * vector.y;
    const beside = Math.abs(dx * vector.y) + Math.abs(dy * vector.x);
    // To the left and right, only steps of about the same height.
    if (ahead <= 0 || (vector.x !== 0 && beside >= 2 * NODE_HEIGHT)) continue;
    const found = { key: Key, distance: ahead + BESIDE_FACTOR * beside, isConnected: isConnected(Key) };
    if (!nearest || isBetter(found, nearest)) nearest = found;
  }
  return nearest?.key ?? null;
}

interface Found {
  distance: number;
  isConnected: boolean;
}

const isBetter = (one: Found, other: Found): boolean =>
  one.isConnected === other.isConnected ? one.distance < other.distance : one.isConnected;

function connectedTo(
  steps: readonly Pick<PlacedStep, 'Key' | 'After'>[],
  key: string,
  direction: Direction,
): (other: string) => boolean {
  if (direction === 'ArrowDown') {
    const after = new Set(steps.filter(({ After }) => After.some(({ Step }) => Step === key)).map(({ Key }) => Key));
    return (other) => after.has(other);
  }
  const before = steps.find(({ Key }) => Key === key)?.After ?? [];
  return (other) => direction === 'ArrowUp' && before.some(({ Step }) => Step === other);
}
