/** Functions that the compiler calculates itself and that have no definition: most of them calculate only some of their arguments. */
export const FORM_NAMES: ReadonlySet<string> = new Set([
  'IF',
  'IFS',
  'IFERROR',
  'IFNA',
  'SWITCH',
  'CHOOSE',
  'LET',
  'LAMBDA',
  'ISOMITTED',
  'SINGLE',
  'ANCHORARRAY',
]);
