/**
 * IronCalc calculates what a cell reads by recursion. Some five hundred cells in a chain fit its stack when their formulas
 * are simple; chains longer than this are broken up by resting points.
 */
export const deepestChain = 60;
