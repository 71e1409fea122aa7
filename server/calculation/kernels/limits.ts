/** What a calculation may take, so that a hostile formula ends with an error instead of the process. */

/** Steps (a cell calculated, an element looked at) of one recalculation. */
export const MAX_STEPS = 2e10;
/** Steps between two looks at the clock. */
export const STEPS_PER_LOOK = 20_000;
/** Elements of one array. */
export const MAX_ARRAY_CELLS = 20_000_000;
/** Cells that array formulas of a workbook may fill in all. */
export const MAX_SPILLED_CELLS = 20_000_000;
/** Nested nodes of formulas that call for each other, before the outer ones are put off. */
export const MAX_NESTED_NODES = 1200;
/** LAMBDAs and names inside one another. */
export const MAX_CALLS = 400;
/** Times a recalculation starts over because spilled arrays change what others read. */
export const MAX_ROUNDS = 100;
