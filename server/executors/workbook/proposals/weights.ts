/**
 * Weights for and against a candidate, as parts of its score. They were set by hand in steps of one hundredth and
 * verified against workbooks that people labeled (docs/decisions/0030-uploads-and-designer.md). A candidate that scores
 * PROPOSAL_LIMITS.preselected is likely enough to be preselected.
 */
export const INPUT_WEIGHTS = {
  base: 0.1,
  readAlone: 0.35,
  /** For each further formula that reads the individual cell, up to three. */
  furtherReader: 0.005,
  readInRange: 0.22,
  labelBeside: 0.22,
  labelFarLeft: 0.17,
  labelAbove: 0.14,
  labelDiagonal: 0.05,
  noLabel: -0.15,
  totalLabel: -0.1,
  text: -0.1,
  /** A text that no formula reads. */
  formText: -0.04,
  numberFormat: 0.03,
  yearInTitle: -0.25,
  /** Formulas continue from the cell. */
  seed: -0.3,
  inputLook: 0.15,
  validation: 0.2,
  unlocked: 0.25,
  locked: -0.25,
  blankRead: 0.34,
  tableInTable: 0.82,
  tableBesideFormulas: 0.74,
  tableRead: 0.58,
  tableUnread: 0.25,
  tableSearched: 0.3,
  fewSearched: 0.15,
  mostlySearched: -0.2,
  largeTable: -0.15,
  furtherColumns: -0.2,
  counting: -0.35,
  seriesRead: 0.6,
  seriesUnread: 0.12,
  years: -0.25,
  inputHeading: 0.08,
  resultHeading: -0.1,
  inputSheet: 0.06,
  supportingSheet: -0.15,
  hiddenSheet: -0.35,
  lower: -0.04,
};

export const OUTPUT_WEIGHTS = {
  base: 0.26,
  unread: 0.16,
  labelBeside: 0.14,
  labelAbove: 0.09,
  labelDiagonal: 0.02,
  noLabel: -0.25,
  resultWord: 0.1,
  strongResultWord: 0.2,
  resultStyle: 0.2,
  bold: 0.06,
  fill: 0.04,
  large: 0.06,
  charted: 0.08,
  check: -0.25,
  /** An average, minimum or maximum, which accompanies the result that matters. */
  statistic: -0.1,
  error: -0.15,
  longText: -0.2,
  text: -0.05,
  labelText: -0.3,
  readsNothing: -0.25,
  repeatsFar: 0.1,
  repeatsNear: -0.12,
  repeatsValue: -0.3,
  onFormulas: 0.04,
  /** For each formula before it in the chain, up to five. */
  depth: 0.02,
  seriesBase: 0.24,
  seriesUnread: 0.12,
  seriesWord: 0.1,
  seriesStrongWord: 0.22,
  seriesTotal: 0.06,
  seriesCharted: 0.15,
  fragment: -0.12,
  tableBase: 0.3,
  tableUnread: 0.12,
  tableCharted: 0.15,
  shortTable: 0.08,
  inputHeading: -0.04,
  resultHeading: 0.06,
  resultSheet: 0.1,
  supportingSheet: -0.15,
  hiddenSheet: -0.4,
};

export const RANK_WEIGHTS = {
  /** For each input before it in the order. */
  furtherInput: -0.02,
  furtherOutput: -0.1,
  /** Times the logarithm of the number of likely inputs on which a result depends. */
  dependsOnInputs: 0.1,
  /** The workbook has a defined name for exactly these cells. */
  named: 0.15,
  /** A label that occurred before, or a further table. */
  repeated: -0.1,
  /** The same label and the same cells on an earlier sheet. */
  copy: -0.1,
  /** For each sheet before it, up to four. */
  laterSheet: -0.02,
};
