/** Builds the definition of a declared input. The cells provide what they can, the Portal sheet the rest. */
import type { InputDefinition, RuleFormulas, StepDefinition } from '#server/executors/activity-definition.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { isFileUsage, isFolderUsage, wholeSpecification } from '#shared/codecs/input-form.ts';
import type { CellUsage, InputInfo, Specification } from '#shared/contract/parameters.ts';
import { CELL_USAGES, DISPLAY_MODES, SPECIFICATIONS } from '#shared/rules/parameter-kinds.ts';
import { valueGrid } from '../anchors.ts';
import type { GrowthSpace } from '../room/growth-space.ts';
import { sameBlock, tableBody } from './blocks.ts';
import { addRoom } from './reported-room.ts';
import type { CellView } from './cell-view.ts';
import { defaultValue } from './default-values.ts';
import { describe } from './descriptions.ts';
import type { ProblemList } from './problems.ts';
import { fieldsOf, sqlNames } from './fields.ts';
import type { Field } from './field.ts';
import { checkFormulas, checkInputArea } from './input-checks.ts';
import { inputShape, locationOf } from './input-shapes.ts';
import type { Draft } from './parameters.ts';
import { reportGuesses } from './guessed-kinds.ts';
import { listAreas } from './list-areas.ts';
import { askQueriesForKinds, withListedKinds } from './listed-kinds.ts';
import { readPickers } from './pickers.ts';
import type { PortalRow } from './portal-tables.ts';
import { createRowReader, wrongNumber } from './portal-values.ts';
import type { RowReader } from './portal-values.ts';
import { reportRefusedDefault } from './refused-defaults.ts';
import { sampleOf } from './samples.ts';
import { addSection } from './sections.ts';
import type { Shape } from './shapes.ts';
import { maxLengthOf } from './usages.ts';
import { valueRules } from './value-rules.ts';
import type { RuledInput } from './value-rules.ts';

const NO_ROW: PortalRow = { location: { sheet: '', cell: '' }, cells: new Map() };

/** What the definition of an input depends on besides its own cells. */
export interface InputEnvironment {
  /** All inputs of the workbook. */
  inputs: readonly Draft[];
  /** The step that reads the input's file, which makes it a file input; null if there is none. */
  importStep: StepDefinition | null;
  /** Receives requests of the workbook that cannot be met, and inferred types. */
  findings: ProblemList;
  /** Returns how many rows a table can have. */
  spaceOf: (table: TableModel) => GrowthSpace;
}

/** Returns null if the problems leave nothing to define. */
export function inputDefinition(
  model: WorkbookModel,
  view: CellView,
  draft: Draft,
  { inputs, importStep, findings, spaceOf }: InputEnvironment,
  problems: ProblemList,
): InputDefinition | null {
  if (!checkInputArea(model, view, draft, problems)) return null;
  const row = createRowReader(draft.row ?? NO_ROW, problems);
  const shape = inputShape(model, view, row, draft, { isImported: importStep !== null, problems, findings });
  if (!shape) return null;
  const { sheet, table } = draft.area;
  const fields = withListedKinds(model, view, row, fieldsOf(model, view, sheet, shape));
  checkFormulas(draft, fields, shape.columnHeaders, problems);
  const usages = readUsages(row, draft, shape, fields, importStep);
  const picking = readPickers(model, view, row, draft, fields, usages, inputs);
  const { pickers, items, areas, queries, conditionValues } = picking;
  if (!importStep && row.text('CellUsages') === '')
    reportGuesses(draft, shape, askQueriesForKinds(draft, shape, fields, queries), findings);
  const Info = infoOf(row, shape, fields, usages);
  Info.Pickers = pickers;
  const isTable = table !== null && sameBlock(tableBody(table), draft.area.block);
  Info.RowsVariable = isTable && !hasShownConstants(Info, fields);
  if (Info.RowsVariable) addRoom(Info, draft, spaceOf(table!), findings);
  addDefault(model, view, row, sheet, shape, fields, Info);
  const pickerAreas = listAreas(pickers, areas, inputs);
  const location = locationOf(sheet, shape, Info.RowsVariable ? table : null);
  const ruled = { ...location, name: draft.name, usages, rowsVariable: Info.RowsVariable };
  const ruleFormulas = addRules(model, view, { ...ruled, ...pickedLists(row, fields, Info) }, Info, inputs, findings);
  const uploaded = isFileUsage(usages[0]) ? importStep : null;
  const sample = sampleOf(model, view, row, { name: draft.name, info: Info, importStep: uploaded });
  Info.SampleFilePath = sample?.fileName ?? null;
  addSection(row, Info);
  const definition: InputDefinition = {
    Name: draft.name,
    Description: row.text('Description') || describe(model, sheet, shape, fields[0]!.validation),
    Info,
    HasAccessRight: row.text('HasAccess'),
    location,
    ...(shape.headerSource ? { headers: shape.headerSource } : {}),
    pickerItems: items,
    ...(pickerAreas ? { pickerAreas } : {}),
    ...(queries.some(Boolean) ? { pickerQueries: queries } : {}),
    ...(conditionValues.some(Boolean) ? { conditionValues } : {}),
    ...(ruleFormulas ? { ruleFormulas } : {}),
    ...(sample?.layout ? { sample: sample.layout } : {}),
  };
  reportRefusedDefault(definition, model.sheets[sheet]!.name, findings);
  return definition;
}

/** Writes the rules of data validations into `info`. Returns the formulas of the rules that depend on formulas. */
function addRules(
  model: WorkbookModel,
  view: CellView,
  ruled: RuledInput,
  info: InputInfo,
  inputs: readonly Draft[],
  findings: ProblemList,
): (RuleFormulas | null)[] | null {
  if (isFileUsage(info.CellUsages[0])) return null;
  const { rules, formulas } = valueRules(model, view, ruled, inputs, findings);
  if (rules.length > 0) info.Rules = rules;
  return formulas.some((one) => one !== null) ? formulas : null;
}

/**
 * Returns the validations that are fully enforced by pickers of their lists, and whether the Portal sheet declares its
 * own pickers.
 */
function pickedLists(
  row: RowReader,
  fields: readonly Field[],
  { Pickers, CellUsages }: InputInfo,
): Pick<RuledInput, 'picked' | 'hasOwnPickers'> {
  const hasOwnPickers = row.text('PickerSource') !== '' || row.text('Picker') !== '';
  const lists = fields.flatMap(({ validation }, index) =>
    validation?.type === 'list' &&
    (CellUsages[index] === 'Boolean' ||
      // A picker accepts values that a Warning or Information validation only reports, so the rule must report them.
      (Pickers[index]?.Type === 'List' &&
        !Pickers[index].PerRow &&
        (validation.alert === 'stop' || !validation.showsError)))
      ? [validation]
      : [],
  );
  return { hasOwnPickers, picked: new Set(lists) };
}

/**
 * Returns true if a column that users cannot fill in holds constants. New rows would be blank there, so the table keeps
 * its number of rows.
 */
function hasShownConstants(info: InputInfo, fields: readonly Field[]): boolean {
  return fields.some(
    ({ formulas }, index) => formulas !== 'all' && ['Display', 'Hidden'].includes(info.Specifications[index]!),
  );
}

function readUsages(
  row: RowReader,
  draft: Draft,
  shape: Shape,
  fields: Field[],
  importStep: StepDefinition | null,
): CellUsage[] {
  const pattern = importStep?.options['Pattern'];
  const imported = pattern === undefined ? 'FilePath' : 'StaticFolder';
  const inferred = fields.map((field) => (importStep ? imported : field.usage));
  const usages = perField(row, 'CellUsages', row.choices('CellUsages', CELL_USAGES), inferred);
  checkUsages(row, draft, shape, usages, importStep);
  return usages;
}

/** Checks what usages require of the cells and of the step that reads the input. */
function checkUsages(
  row: RowReader,
  draft: Draft,
  shape: Shape,
  usages: readonly CellUsage[],
  importStep: StepDefinition | null,
): void {
  const pattern = importStep?.options['Pattern'];
  const isFile = usages.some(isFileUsage);
  if (isFile && shape.rangeType !== 'SingleCell' && shape.rangeType !== 'SingleColumnOfSimilarValues') {
    const howToFix = 'Change it to point to one cell, or to a column of cells for several files.';
    row.addProblem('CellUsages', `The file input '${draft.name}' is neither a cell nor a column.`, howToFix);
  }
  if (usages.includes('StaticFolder') && shape.rangeType !== 'SingleCell') {
    const howToFix = 'Change it to point to one cell, or use CellUsages FolderPath.';
    row.addProblem('CellUsages', `The preset folder '${draft.name}' is not a single cell.`, howToFix);
  }
  if (usages.includes('ActivityRunId') && shape.rangeType !== 'SingleCell') {
    const howToFix = 'Change it to point to one cell.';
    row.addProblem('CellUsages', `The input '${draft.name}' for the number of the run is not a single cell.`, howToFix);
  }
  if (importStep && !isFile && !usages.every(isFolderUsage)) {
    const howToFix = 'Use CellUsages FilePath, or StaticFolder or FolderPath.';
    row.addProblem(
      'CellUsages',
      `A step imports the input '${draft.name}', which is neither a file nor a folder.`,
      howToFix,
    );
  }
  if (pattern !== undefined && isFile) {
    const howToFix = 'Use CellUsages StaticFolder or FolderPath, or empty the Pattern of the step.';
    row.addProblem(
      'CellUsages',
      `A step looks for '${pattern}' in the input '${draft.name}', which is not a folder.`,
      howToFix,
    );
  }
}

/**
 * Distributes the values of a column over the fields: one value for all, one for each, or the inferred ones if there is
 * none.
 */
function perField<T>(row: RowReader, column: string, said: readonly T[], inferred: readonly T[]): T[] {
  if (said.length === 0) return [...inferred];
  if (said.length === 1) return inferred.map(() => said[0]!);
  if (said.length === inferred.length) return [...said];
  const message = wrongNumber(column, said.length, inferred.length);
  row.addProblem(column, message, 'Enter one value, or one for each column, separated by commas.');
  return [...inferred];
}

function infoOf(row: RowReader, shape: Shape, fields: Field[], usages: CellUsage[]): InputInfo {
  const specifications = readSpecifications(row, fields, usages);
  const blanks = fields.map((field, index) => acceptsBlank(shape, field, usages[index]!));
  const sizes = fields.map(({ validation }) => maxLengthOf(validation));
  const calculated = fields.map(({ formulas }) => formulas === 'all');
  const { height, width } = valueGrid(shape.data, shape.anchors);
  return {
    RangeType: shape.rangeType,
    CellUsages: usages,
    Specifications: specifications,
    Blanks: perField(row, 'Blanks', row.flags('Blanks'), blanks),
    Pickers: [],
    MaxSize: perField(row, 'MaxSize', row.sizes('MaxSize'), sizes),
    AllowDefaultValue: false,
    ...(calculated.some(Boolean) ? { Calculated: calculated } : {}),
    HeaderRows: shape.headerRows,
    HeaderCols: shape.headerCols,
    Height: height,
    Width: width,
    RowsVariable: false,
    ColsVariable: false,
    Display: row.choice('Display', DISPLAY_MODES) ?? 'Default',
    ColumnHeaderValues: shape.columnHeaders,
    RowHeaderValues: shape.rowHeaders,
    SqlNames: shape.rangeType === 'RangeWithColumnHeaders' ? sqlNames(shape.columnHeaders) : [],
    SampleFilePath: null,
    Formats: fields.map(({ format }) => format),
    DefaultValue: null,
  };
}

/**
 * A formula makes its field Suggested. The first of several columns stays Required, because its specification applies
 * to the whole input on the form, and one calculated column does not make a table a suggestion.
 */
function readSpecifications(row: RowReader, fields: Field[], usages: readonly CellUsage[]): Specification[] {
  const said = row.choices('Specification', SPECIFICATIONS);
  if (usages.includes('ActivityRunId')) {
    const isOpen = said.some((one) => one !== 'Hidden');
    if (isOpen)
      row.addProblem('Specification', 'The number of a run cannot be entered.', 'Empty the cell, or enter Hidden.');
    return fields.map(() => 'Hidden');
  }
  const inferred = fields.map((field, index): Specification => {
    const isSuggestion = field.formulas === 'all' && (index > 0 || fields.length === 1);
    return isSuggestion ? 'Suggested' : 'Required';
  });
  return perField(row, 'Specification', said, inferred);
}

/**
 * A calculated column accepts blanks because its formula fills it. Otherwise the validation decides, and texts in
 * tables may be blank. Cells of a file column do not count: they are blank until files are chosen.
 */
function acceptsBlank(shape: Shape, field: Field, usage: CellUsage): boolean {
  const isTable = shape.rangeType !== 'SingleCell' && !isFileUsage(usage);
  if (isTable && (field.formulas === 'all' || field.guess !== null)) return true;
  if (field.validation) return field.validation.allowBlank;
  const filled = field.cells.filter(({ value }) => value !== null && value !== '').length;
  const hasGaps = filled > 0 && filled < field.cells.length;
  return isTable && (usage === 'Text' || hasGaps);
}

function addDefault(
  model: WorkbookModel,
  view: CellView,
  row: RowReader,
  sheet: number,
  shape: Shape,
  fields: Field[],
  info: InputInfo,
): void {
  if (isFileUsage(info.CellUsages[0])) {
    info.AllowDefaultValue = row.flag('AllowDefaultValue') ?? false;
    return;
  }
  const isShownColumn = fields.map((_, index) => info.Specifications[index] === 'Display');
  const calculated = fields.map(({ formulas }, index) => formulas === 'all' && !isShownColumn[index]);
  const cells = { sheet, shape, usages: info.CellUsages, formats: info.Formats };
  const value = defaultValue(model, view, { ...cells, skipped: calculated });
  const specification = wholeSpecification(info);
  const isConstant = fields.some(
    ({ formulas, cells }) => formulas !== 'all' && cells.some((cell) => cell.value !== null && cell.value !== ''),
  );
  info.AllowDefaultValue = row.flag('AllowDefaultValue') ?? isConstant;
  const isShown = info.AllowDefaultValue || !['Required', 'OldStyle'].includes(specification);
  // Values in display-only columns are not a default, but are shown even if the default is not.
  const onlyShown = fields.map((_, index) => !isShownColumn[index]);
  const shownValue = onlyShown.every(Boolean) ? null : defaultValue(model, view, { ...cells, skipped: onlyShown });
  info.DefaultValue = isShown ? value : shownValue;
}
