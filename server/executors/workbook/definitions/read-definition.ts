/** Reads what a workbook declares about itself as an activity. The rules are those of docs/workbooks.md. */
import type { CalculationModel } from '#server/calculation/engine.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { OutputBlock } from '#server/calculation/fidelity-report.ts';
import type {
  ActivityDefinition,
  InputDefinition,
  OutputDefinition,
  StepDefinition,
} from '#server/executors/executor.ts';
import type { StepFacilities } from '#server/executors/step-services.ts';
import { NO_FACILITIES } from '#server/executors/step-services.ts';
import type { WorkbookFault } from '#shared/contract/fidelity.ts';
import { makeOnce } from '../make-once.ts';
import type { GrowingRoom } from '../room/growing-room.ts';
import type { ParameterBlock } from '../room/plan-room.ts';
import { tableRoom } from '../table-room.ts';
import { sameBlock, tableBody } from './blocks.ts';
import type { CellView } from './cell-view.ts';
import { createDefinitionView } from './definition-view.ts';
import type { FaultList } from './faults.ts';
import { createFaultList, problem, WHOLE_FILE } from './faults.ts';
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
  faults: WorkbookFault[];
  /**
   * Requests of the workbook that cannot be met although it can be an activity, and inferred types of its inputs and
   * outputs.
   */
  findings: WorkbookFault[];
  /** The cells that a run reads: those of outputs, checks and messages, as far as they could be resolved. */
  watched: OutputBlock[];
  /** Those whose values a run returns or bases decisions on. */
  read: ReadCells[];
}

/** Returns how many rows a table can have, given these inputs and outputs. */
export type RoomOf = (table: TableModel, parameters: readonly ParameterBlock[]) => GrowingRoom;

/**
 * Returns the definition, or all problems that prevent one. Never throws because of the workbook. `calculated` returns
 * the calculated model, for values that the file lacks. Without `roomOf`, content below a table cannot move.
 */
export function readDefinition(
  model: WorkbookModel,
  facilities: StepFacilities = NO_FACILITIES,
  calculated: () => CalculationModel | null = () => null,
  roomOf: RoomOf = (table) => ({ ...tableRoom(model, table), reason: null }),
): DefinitionResult {
  const faults = createFaultList();
  const findings = createFaultList();
  const calculatedOnce = makeOnce(calculated);
  const view = createDefinitionView(model, calculatedOnce);
  const portal = readPortalTables(model, view, faults);
  const inputs = inOrder(declareParameters(model, 'input', portal.PortalInputs, faults), faults);
  const outputs = inOrder(declareParameters(model, 'output', portal.PortalOutputs, faults), faults);
  checkOverlaps(model, inputs, faults);
  const settings = readSettings(portal.PortalSettings, faults);
  const steps = readSteps({ model, inputs, outputs, facilities, faults, rows: portal.PortalSteps });
  refuseFilledParts(model, inputs, steps, faults);
  const parameters = parametersOf(inputs, outputs);
  const rooms = (table: TableModel): GrowingRoom => roomOf(table, parameters);
  const definition: ActivityDefinition = {
    inputs: readInputs(model, view, inputs, steps, { faults, findings, rooms }),
    outputs: readOutputs(model, view, outputs, steps, { faults, findings }),
    steps,
    display: settings.display,
    proposals: settings.proposals,
  };
  const fromCells = outputs.filter(({ name }) => !isExported(name, steps));
  const read = readCells(model, fromCells, steps);
  refuseStalePivots(model, { inputs, steps, read, calculated: calculatedOnce }, faults);
  reportStepGuesses(model, view, steps, findings);
  reportStepRooms(model, steps, rooms, findings);
  if (inputs.length === 0 && outputs.length === 0 && faults.faults.length === 0) faults.add(WHOLE_FILE, NOTHING);
  return {
    definition: faults.faults.length === 0 ? definition : null,
    faults: faults.faults,
    findings: findings.faults,
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
  'The workbook has no defined names starting with in_ or out_, so that nobody could enter or read anything.',
  'Select a cell with a result, type a name such as out_Total into the Name Box left of the formula bar, and press Enter; name the cells to fill in in_Amount and so on.',
);

interface Reports {
  faults: FaultList;
  findings: FaultList;
}

function readInputs(
  model: WorkbookModel,
  view: CellView,
  drafts: readonly Draft[],
  steps: readonly StepDefinition[],
  { faults, findings, rooms }: Reports & { rooms: (table: TableModel) => GrowingRoom },
): InputDefinition[] {
  const inputs = drafts.flatMap((draft) => {
    const importStep = steps.find(({ options }) => sameName(draft.name, options['Input'] ?? '', 'input')) ?? null;
    return inputDefinition(model, view, draft, { inputs: drafts, importStep, findings, roomOf: rooms }, faults) ?? [];
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
function inOrder(drafts: readonly Draft[], faults: FaultList): Draft[] {
  const orders = new Map(
    drafts.map((draft) => [draft, draft.row ? createRowReader(draft.row, faults).number('Order') : null]),
  );
  const place = ({ area }: Draft): number[] => [area.sheet, area.block.top, area.block.left];
  return drafts.toSorted((a, b) => {
    const [first, second] = [orders.get(a) ?? Infinity, orders.get(b) ?? Infinity];
    if (first !== second) return first - second;
    const [from, to] = [place(a), place(b)];
    return from[0]! - to[0]! || from[1]! - to[1]! || from[2]! - to[2]!;
  });
}
