/**
 * Marks of the last version, for a new file that has no marks. Marks whose position is known are already part of the
 * design.
 */
import type { CarriedMark, Design, Mark } from '#shared/contract/designs.ts';

export type Carried = CarriedMark & { key: string };

export const carriedOf = ({ Carried }: Design): Carried[] =>
  (Carried ?? []).map((mark) => ({ ...mark, key: `${mark.Role} ${mark.Name}` }));

const isOf = ({ Role, Name }: CarriedMark, mark: Mark): boolean =>
  mark.Role === Role && mark.Name.toLowerCase() === Name.toLowerCase();

/** Returns the marks whose position the author has not chosen yet. */
export const undecided = (
  carried: readonly Carried[],
  marks: readonly Mark[],
  dropped: ReadonlySet<string>,
): Carried[] =>
  carried.filter((one) => one.State === 'Unsure' && !dropped.has(one.key) && !marks.some((mark) => isOf(one, mark)));
