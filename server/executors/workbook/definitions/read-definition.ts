/** Reads what a workbook declares about itself as an activity. The rules are those of docs/workbooks.md. */
import type { CalculationModel } from '#server/calculation/engine.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { OutputBlock } from '#server/calculation/fidelity-report.ts';
import type {
  ActivityDefinition,
  InputDefinition,
  OutputDefinition,
  StepDefinition,
} from '#server/executors/activity-definition.ts';
import type { StepCapabilities } from '#server/executors/step-services.ts';
import { NO_CAPABILITIES } from '#server/executors/step-services.ts';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import { makeOnce } from '../make-once.ts';
import type { GrowthSpace } from '../room/growth-space.ts';
import type { ParameterBlock } from '../room/plan-space.ts';
import { measureTableSpace } from '../table-space.ts';
import { sameBlock, tableBody } from './blocks.ts';
import type { CellView } from './cell-view.ts';
import { createDefinitionView } from './definition-view.ts';
import type { ProblemList } from './problems.ts';
import { createProblemList, problem, WHOLE_FILE } from './problems.ts';
import { checkOverlaps } from './input-checks.ts';
import { inputDefinition } from './inputs.ts';
import { outputDefinition } from './outputs.ts';
import type { Draft } from './parameters.ts';
import { declareParameters, sameName } from './parameters.ts';
import { readPortalTables } from './portal-tables.ts';
import { createRowReader } from './portal-values.ts';
import { addSections } from './sections.ts';
import { readSettings } from './settings.ts';
import { reportStepGuesses } from './step-guesses.ts';
import { refuseStalePivots } from './stale-pivots.ts';
import { readSteps } from './steps.ts';
import { refuseFilledParts } from './table-parts.ts';
import { reportStepRooms } from './reported-room.ts';
import { readCells, watchedBlocks } from './watched-cells.ts';
import type { ReadCells } from './watched-cells.ts';

export interface DefinitionResult {
  /** Null if there are problems. */
  definition: ActivityDefinition | null;
  problems: WorkbookProblem[];
  /**
   * Requests of the workbook that cannot be met although it can be an activity, and inferred types of its inputs and
   * outputs.
   */
  findings: WorkbookProblem[];
  /** The cells that a run reads: those of outputs, checks and messages, as far as they could be resolved. */
  watched: OutputBlock[];
  /** Those whose values a run returns or bases decisions on. */
  read: ReadCells[];
}

/** Returns how many rows a table can have, given these inputs and outputs. */
export type SpaceOf = (table: TableModel, parameters: readonly ParameterBlock[]) => GrowthSpace;

/**
 * Returns the definition, or all problems that prevent one. Never throws because of the workbook. `calculated` returns
 * the calculated model, for values that the file lacks. Without `spaceOf`, content below a table cannot move.
 */
export function readDefinition(
  model: WorkbookModel,
  capabilities: StepCapabilities = NO_CAPABILITIES,
  calculated: () => CalculationModel | null = () => null,
  spaceOf: SpaceOf = (table) => ({ ...measureTableSpace(model, table), reason: null }),
): DefinitionResult {
  const problems = createProblemList();
  const findings = createProblemList();
  const calculatedOnce = makeOnce(calculated);
  const view = createDefinitionView(model, calculatedOnce);
  const portal = readPortalTables(model, view, problems);
  const inputs = inOrder(declareParameters(model, 'input', portal.PortalInputs, problems), problems);
  const outputs = inOrder(declareParameters(model, 'output', portal.PortalOutputs, problems), problems);
  checkOverlaps(model, inputs, problems);
  const settings = readSettings(portal.PortalSettings, problems);
  const steps = readSteps({ model, inputs, outputs, capabilities, problems, rows: portal.PortalSteps });
  refuseFilledParts(model, inputs, steps, problems);
  const parameters = parametersOf(inputs, outputs);
  const spaceOfTable = (table: TableModel): GrowthSpace => spaceOf(table, parameters);
  const definition: ActivityDefinition = {
    inputs: readInputs(model, view, inputs, steps, { problems, findings, spaceOfTable }),
    outputs: readOutputs(model, view, outputs, steps, { problems, findings }),
    steps,
    display: settings.display,
    proposals: settings.proposals,
  };
  const fromCells = outputs.filter(({ name }) => !isExported(name, steps));
  const read = readCells(model, fromCells, steps);
  refuseStalePivots(model, { inputs, steps, read, calculated: calculatedOnce }, problems);
  reportStepGuesses(model, view, steps, findings);
  reportStepRooms(model, steps, spaceOfTable, findings);
  if (inputs.length === 0 && outputs.length === 0 && problems.problems.length === 0) problems.add(WHOLE_FILE, NOTHING);
  return {
    definition: problems.problems.length === 0 ? definition : null,
    problems: problems.problems,
    findings: findings.problems,
    read,
    watched: watchedBlocks(
      model,
      outputs.map(({ name, area }) => ({ ...area, name })),
      steps,
    ),
  };
}

/** Input tables are omitted, because they are already known as tables. */
function parametersOf(inputs: readonly Draft[], outputs: readonly Draft[]): ParameterBlock[] {
  const isTable = ({ area }: Draft): boolean => area.table !== null && sameBlock(tableBody(area.table), area.block);
  return [
    ...inputs
      .filter((draft) => !isTable(draft))
      .map(({ name, area: { sheet, block } }) => ({ what: `the input '${name}'`, sheet, block, grows: false })),
    ...outputs.map(({ name, area: { sheet, block } }) => ({ what: `the output '${name}'`, sheet, block, grows: true })),
  ];
}

const NOTHING = problem(
  'The workbook has no defined names starting with in_ or out_, so it would have no inputs or outputs.',
  'Select a cell with a result, type a name such as out_Total into the Name Box to the left of the formula bar, and press Enter. Name the input cells in_Amount and so on.',
);

interface Reports {
  problems: ProblemList;
  findings: ProblemList;
}

function readInputs(
  model: WorkbookModel,
  view: CellView,
  drafts: readonly Draft[],
  steps: readonly StepDefinition[],
  { problems, findings, spaceOfTable }: Reports & { spaceOfTable: (table: TableModel) => GrowthSpace },
): InputDefinition[] {
  const inputs = drafts.flatMap((draft) => {
    const importStep = steps.find(({ options }) => sameName(draft.name, options['Input'] ?? '', 'input')) ?? null;
    return (
      inputDefinition(model, view, draft, { inputs: drafts, importStep, findings, spaceOf: spaceOfTable }, problems) ??
      []
    );
  });
  addSections(model, view, inputs);
  return inputs;
}

function readOutputs(
  model: WorkbookModel,
  view: CellView,
  drafts: readonly Draft[],
  steps: readonly StepDefinition[],
  reports: Reports,
): OutputDefinition[] {
  return drafts.flatMap((draft) => {
    return outputDefinition(model, view, draft, isExported(draft.name, steps), reports) ?? [];
  });
}

/** Returns true if an Export step creates the output: it is then a file and read from no cell. */
const isExported = (output: string, steps: readonly StepDefinition[]): boolean =>
  steps.some(({ options }) => sameName(output, options['Output'] ?? '', 'output'));

/** Sorts by Order. Those without an Order follow in workbook order: sheet by sheet, from the top. */
function inOrder(drafts: readonly Draft[], problems: ProblemList): Draft[] {
  const orders = new Map(
    drafts.map((draft) => [draft, draft.row ? createRowReader(draft.row, problems).number('Order') : null]),
  );
  const positionOf = ({ area }: Draft): number[] => [area.sheet, area.block.top, area.block.left];
  return drafts.toSorted((a, b) => {
    const [first, second] = [orders.get(a) ?? Infinity, orders.get(b) ?? Infinity];
    if (first !== second) return first - second;
    const [from, to] = [positionOf(a), positionOf(b)];
    return from[0]! - to[0]! || from[1]! - to[1]! || from[2]! - to[2]!;
  });
}
