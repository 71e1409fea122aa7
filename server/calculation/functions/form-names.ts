/**
 * Functions without a definition: the compiler calculates them itself. Most of them calculate only some of their
 * arguments.
 */
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
