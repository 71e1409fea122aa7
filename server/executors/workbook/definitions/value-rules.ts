/** Converts data validations to rules for the cells of an input, and reports those that cannot be enforced. */
import { isFixedFormula, placedFormulaProblem } from '#server/calculation/graph/placed-formulas.ts';
import type { PlacedFormula } from '#server/calculation/placed-formula.ts';
import type { DataValidation, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellAnchors, RuleFormulas } from '#server/executors/activity-definition.ts';
import type { CellUsage, ValueRule } from '#shared/contract/parameters.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { resolveArea } from './areas.ts';
import { intersects } from './blocks.ts';
import type { CellView } from './cell-view.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import type { Draft } from './parameters.ts';

export interface ValueRules {
  rules: ValueRule[];
  /** Parallel to `rules`: the formulas of each rule that depends on cells or formulas; null for the others. */
  formulas: (RuleFormulas | null)[];
}

export interface RuledInput {
  name: string;
  sheet: number;
  /** The input's data. */
  block: CellBlock;
  /** Positions of the values, if cells of the data are merged. */
  anchors?: CellAnchors | undefined;
  usages: readonly CellUsage[];
  rowsVariable: boolean;
  /** Validations whose list a picker offers and enforces. */
  picked: ReadonlySet<DataValidation>;
  /** True if the Portal sheet declares pickers: lists of validations are then ignored. */
  hasOwnPickers: boolean;
}

/** Maximum number of rules per input: no form could show more. */
const MAX_RULES = 1000;

const ALERTS = { stop: 'Stop', warning: 'Warning', information: 'Information' } as const;

/** `findings` receives each validation that cannot be enforced. */
export function valueRules(
  model: WorkbookModel,
  view: CellView,
  input: RuledInput,
  inputs: readonly Draft[],
  findings: ProblemList,
): ValueRules {
  const found: ValueRules = { rules: [], formulas: [] };
  for (const validation of model.sheets[input.sheet]!.validations) {
    const blocks = validation.blocks.filter((block) => intersects(block, input.block));
    if (blocks.length === 0 || isSeenToElsewhere(validation, input)) continue;
    const reason = problemOf(model, input, validation);
    if (reason !== null) {
      reportUnenforced(findings, model, input, overlap(blocks[0]!, input.block), reason);
      continue;
    }
    const bounds = boundsOf(model, view, input, validation, inputs);
    for (const block of blocks) {
      if (found.rules.length >= MAX_RULES) {
        const reason = `the input has more than ${MAX_RULES} areas with their own validation`;
        reportUnenforced(findings, model, input, overlap(block, input.block), reason);
        return found;
      }
      const range = valueRangeOf(overlap(block, input.block), input);
      if (!range) continue;
      found.rules.push({ ...range, ...ruleOf(validation, bounds) });
      found.formulas.push(bounds === null ? formulasOf(input.sheet, validation) : null);
    }
  }
  return found;
}

/** Returns true if no rule is needed: the validation allows any value, or a picker enforces its list or replaces it. */
function isSeenToElsewhere(validation: DataValidation, { picked, hasOwnPickers }: RuledInput): boolean {
  if (validation.type === 'none' || picked.has(validation)) return true;
  return validation.type === 'list' && hasOwnPickers;
}

const NUMERIC: ReadonlySet<DataValidation['type']> = new Set(['whole', 'decimal', 'date', 'time']);

function problemOf(model: WorkbookModel, { sheet, usages }: RuledInput, validation: DataValidation): string | null {
  if (!validation.showsError) return 'its error alert is switched off, so other values are accepted, as in Excel';
  if (usages.every((usage) => usage === 'Boolean') && NUMERIC.has(validation.type))
    return 'it requires a number, but the input is TRUE or FALSE';
  const texts = formulaTexts(validation);
  if (texts.some((text) => text === '')) return 'it has no value to compare with';
  for (const text of texts) {
    const reason = placedFormulaProblem(model, { text, sheet, base: baseOf(validation) });
    if (reason !== null) return reason;
  }
  return null;
}

const takesTwo = ({ operator, type }: DataValidation): boolean =>
  type !== 'custom' && type !== 'list' && (operator === 'between' || operator === 'notBetween');

const formulaTexts = (validation: DataValidation): string[] =>
  takesTwo(validation) ? [validation.formula1, validation.formula2] : [validation.formula1];

/** Returns the cell that relative references are based on: the top left of all cells that the validation applies to. */
export function baseOf({ blocks }: DataValidation): CellPosition {
  return { row: Math.min(...blocks.map(({ top }) => top)), col: Math.min(...blocks.map(({ left }) => left)) };
}

const formulasOf = (sheet: number, validation: DataValidation): RuleFormulas => {
  const base = baseOf(validation);
  const formulas = formulaTexts(validation).map((text): PlacedFormula => ({ text, sheet, base }));
  return { formulas, ignoresBlank: validation.allowBlank };
};

/** Returns bounds that are the same for every form; null if cells or formulas decide. */
function boundsOf(
  model: WorkbookModel,
  view: CellView,
  { sheet, usages }: RuledInput,
  validation: DataValidation,
  inputs: readonly Draft[],
): number[] | null {
  if (validation.type === 'custom' || validation.type === 'list') return null;
  // Dates entered there count from another day, so the bounds must be evaluated.
  if (model.date1904 && usages.includes('Date')) return null;
  const base = baseOf(validation);
  const bounds = formulaTexts(validation).map(
    (text) => numberOf(text) ?? constantAt(model, view, { text, sheet, base }, inputs),
  );
  return bounds.every((bound) => bound !== null) ? bounds : null;
}

const numberOf = (text: string): number | null =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : null;

/** Returns the number in a cell with a fixed address, if it is a constant that no input can change; otherwise null. */
function constantAt(
  model: WorkbookModel,
  view: CellView,
  formula: PlacedFormula,
  inputs: readonly Draft[],
): number | null {
  if (!isFixedFormula(formula, model)) return null;
  const found = resolveArea(model, formula.text, formula.sheet);
  if ('problem' in found) return null;
  const { sheet, block } = found.area;
  if (block.top !== block.bottom || block.left !== block.right) return null;
  if (inputs.some(({ area }) => area.sheet === sheet && intersects(area.block, block))) return null;
  const { value, formula: own } = view.cell(sheet, block.top, block.left);
  return own === null && typeof value === 'number' ? value : null;
}

function ruleOf(
  { type, operator, alert, errorTitle, error }: DataValidation,
  bounds: number[] | null,
): Omit<ValueRule, 'Top' | 'Left' | 'Bottom' | 'Right'> {
  return {
    Type: type as ValueRule['Type'],
    Operator: operator,
    Bounds: bounds ?? [],
    ...(bounds === null ? { Calculated: true } : {}),
    Alert: ALERTS[alert],
    Title: errorTitle.trim(),
    Text: error.trim(),
  };
}

const overlap = (a: CellBlock, b: CellBlock): CellBlock => ({
  top: Math.max(a.top, b.top),
  left: Math.max(a.left, b.left),
  bottom: Math.min(a.bottom, b.bottom),
  right: Math.min(a.right, b.right),
});

/** Returns null if the rule applies only to cells hidden by merged cells. */
function valueRangeOf(
  { top, left, bottom, right }: CellBlock,
  { block, anchors, rowsVariable }: RuledInput,
): Pick<ValueRule, 'Top' | 'Left' | 'Bottom' | 'Right'> | null {
  const rows = valuePositions(anchors?.rows, top - block.top, bottom - block.top);
  const cols = valuePositions(anchors?.cols, left - block.left, right - block.left);
  if (!rows || !cols) return null;
  // A growing table extends the validation of its last row.
  const isOpen = rowsVariable && bottom === block.bottom;
  return { Top: rows.first, Left: cols.first, Bottom: isOpen ? null : rows.last, Right: cols.last };
}

/** Returns the range of value positions between two rows or columns of the block; null if there are none. */
function valuePositions(
  offsets: number[] | null | undefined,
  from: number,
  to: number,
): { first: number; last: number } | null {
  if (!offsets) return { first: from, last: to };
  const first = offsets.findIndex((offset) => offset >= from);
  const last = offsets.findLastIndex((offset) => offset <= to);
  return first < 0 || last < first ? null : { first, last };
}

function reportUnenforced(
  findings: ProblemList,
  model: WorkbookModel,
  { name, sheet }: RuledInput,
  { top, left }: CellBlock,
  reason: string,
): void {
  findings.add(
    { sheet: model.sheets[sheet]!.name, cell: formatCell(top, left) },
    problem(
      `A data validation of the input '${name}' is not enforced: ${reason}.`,
      'Change the validation (Data, Data Validation), or leave it if other values may be entered.',
    ),
  );
}
