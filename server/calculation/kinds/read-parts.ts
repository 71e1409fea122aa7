/** Parts of the areas that a formula reads. */
import type { Read } from '../graph/reads.ts';
import { Absolute } from '../syntax/ast.ts';

/** Returns one column of a read, counted from its first column. */
export function columnOfRead(read: Read, offset: number): Read {
  const isFixed = (read.absolute & Absolute.col1) !== 0;
  const absolute = isFixed ? read.absolute | Absolute.col2 : read.absolute & ~Absolute.col2;
  return { ...read, col1: read.col1 + offset, col2: read.col1 + offset, absolute };
}

/** Returns one row of a read, counted from its first row. */
export function rowOfRead(read: Read, offset: number): Read {
  const isFixed = (read.absolute & Absolute.row1) !== 0;
  const absolute = isFixed ? read.absolute | Absolute.row2 : read.absolute & ~Absolute.row2;
  return { ...read, row1: read.row1 + offset, row2: read.row1 + offset, absolute };
}

/** True if the read has several rows and several columns, such as a whole table. */
export const isBroad = ({ row1, row2, col1, col2 }: Read): boolean => row1 !== row2 && col1 !== col2;
