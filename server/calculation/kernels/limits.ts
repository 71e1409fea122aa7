/** Limits of a calculation. They make a hostile formula fail with an error instead of crashing the process. */

/** Maximum number of steps (a cell calculated, an element visited) of one recalculation. */
export const MAX_STEPS = 2e10;
/** Number of steps between two checks of the clock. */
export const STEPS_PER_CHECK = 20_000;
/** Maximum number of elements in an array. */
export const MAX_ARRAY_CELLS = 20_000_000;
/** Maximum number of cells that all array formulas of a workbook together can fill. */
export const MAX_SPILLED_CELLS = 20_000_000;
/** Maximum number of nested nodes of formulas that depend on each other, before the outer formulas are deferred. */
export const MAX_NESTED_NODES = 1200;
/** Maximum nesting depth of LAMBDAs and names. */
export const MAX_CALLS = 400;
/** Maximum number of restarts of a recalculation because spilled arrays changed cells that others read. */
export const MAX_ROUNDS = 100;
