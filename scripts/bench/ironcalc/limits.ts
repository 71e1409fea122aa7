/**
 * Maximum length of a dependency chain; resting points break up longer chains. IronCalc calculates precedents by
 * recursion. Its stack fits some five hundred cells in a chain if their formulas are simple.
 */
export const deepestChain = 60;
