/** How many rows an input table takes, and what to do where that is fewer than its sheet has. */
import type { InputInfo } from '#shared/contract/parameters.ts';
import type { GrowingRoom } from '../room/growing-room.ts';
import type { FaultList } from './faults.ts';
import { problem } from './faults.ts';
import type { Draft } from './parameters.ts';

export function addRoom(
  info: InputInfo,
  { name, place }: Draft,
  { rows, end, reason }: GrowingRoom,
  findings: FaultList,
): void {
  Object.assign(info, { MaxRows: rows, RowsEnd: end });
  if (reason === null) return;
  findings.add(
    place,
    problem(
      `The rows of the input '${name}' are limited to ${rows}: ${end} is in the way and cannot be moved down, because ${reason}.`,
      'Move what stands below the table to another place or sheet, so that the table can take more rows.',
    ),
  );
}
