/**
 * Collects the inputs and outputs that a workbook declares by defined names, by table names or by rows of the Portal
 * sheet. Their cells are not read yet.
 */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { Area } from './areas.ts';
import { resolveArea } from './areas.ts';
import { formatArea, sameBlock } from './blocks.ts';
import type { FaultList, FaultPlace } from './faults.ts';
import { problem, WHOLE_FILE } from './faults.ts';
import type { PortalRow } from './portal-tables.ts';
import { placeOf, textOf } from './portal-tables.ts';

export type ParameterKind = 'input' | 'output';

export interface Draft {
  kind: ParameterKind;
  name: string;
  area: Area;
  row: PortalRow | null;
  /** Its first cell, where its problems are reported. */
  place: FaultPlace;
}

const PREFIXES: Record<ParameterKind, RegExp> = {
  input: /^(?:in_|Xinput_)(.+)$/is,
  output: /^(?:out_|Xoutput_)(.+)$/is,
};

/** Maximum length of a name in the portal's database. */
const MAX_NAME_LENGTH = 200;

/** Maximum number of parameters: a form cannot show more, and comparing each with each takes time. */
const MAX_PARAMETERS = 1000;

export function declareParameters(
  model: WorkbookModel,
  kind: ParameterKind,
  rows: readonly PortalRow[],
  faults: FaultList,
): Draft[] {
  const drafts = fromNames(model, kind, faults);
  fromTables(model, kind, drafts, faults);
  for (const row of rows) {
    if (textOf(row, 'Name') === '') {
      faults.add(
        row.place,
        problem(`A row of Portal${kind === 'input' ? 'Inputs' : 'Outputs'} has no Name.`, 'Enter it.'),
      );
      continue;
    }
    const draft = drafts.find(({ name }) => sameName(name, textOf(row, 'Name'), kind));
    if (draft) joinRow(model, draft, row, faults);
    else fromRow(model, kind, row, drafts, faults);
  }
  return drafts;
}

export const displayName = (text: string): string => text.replaceAll('_', ' ').replace(/\s+/g, ' ').trim();

/** Returns true if a row's Name refers to a parameter, by its displayed name or by the spelling of the defined name. */
export function sameName(name: string, written: string, kind: ParameterKind): boolean {
  const bare = PREFIXES[kind].exec(written)?.[1] ?? written;
  return [written, bare].some((text) => displayName(text).toLowerCase() === name.toLowerCase());
}

function fromNames(model: WorkbookModel, kind: ParameterKind, faults: FaultList): Draft[] {
  const drafts: Draft[] = [];
  for (const defined of model.names) {
    const bare = PREFIXES[kind].exec(defined.name)?.[1];
    // Skip hidden names: programs create them, and users cannot fix them in the Name Manager.
    if (bare === undefined || defined.hidden) continue;
    const name = displayName(bare);
    const found = resolveArea(model, defined.text, defined.sheet);
    if (name === '' || 'problem' in found) {
      const what = name === '' ? { message: 'says no name behind its prefix', remedy: 'Rename it.' } : null;
      const { message, remedy } = what ?? (found as Extract<typeof found, { problem: unknown }>).problem;
      const scope = defined.sheet === null ? WHOLE_FILE : { sheet: model.sheets[defined.sheet]?.name ?? '', cell: '' };
      faults.add(scope, problem(`The name '${defined.name}' ${message}.`, `${remedy} (Formulas, Name Manager)`));
      continue;
    }
    addDraft(model, drafts, { kind, name, area: found.area, row: null, place: placeOfArea(model, found.area) }, faults);
  }
  return drafts;
}

/** Adds tables whose own names declare them, unless a defined name has already declared them. */
function fromTables(model: WorkbookModel, kind: ParameterKind, drafts: Draft[], faults: FaultList): void {
  for (const table of model.tables) {
    const name = displayName(PREFIXES[kind].exec(table.name)?.[1] ?? '');
    const found = name === '' ? null : resolveArea(model, table.name, null);
    if (!found || 'problem' in found) continue;
    const { area } = found;
    const isDeclared = drafts.some(
      (draft) => draft.area.sheet === area.sheet && sameBlock(draft.area.block, area.block),
    );
    if (!isDeclared) addDraft(model, drafts, { kind, name, area, row: null, place: placeOfArea(model, area) }, faults);
  }
}

function addDraft(model: WorkbookModel, drafts: Draft[], draft: Draft, faults: FaultList): void {
  const { name, kind, place, area } = draft;
  if (drafts.length >= MAX_PARAMETERS) {
    const message = `The workbook has more than ${MAX_PARAMETERS} ${kind}s.`;
    faults.add(
      WHOLE_FILE,
      problem(message, 'Let names cover blocks of cells or Excel tables instead of single cells.'),
    );
    return;
  }
  const twin = drafts.find((other) => other.name.toLowerCase() === name.toLowerCase());
  if (twin) {
    const where = formatArea(model.sheets[twin.area.sheet]!.name, twin.area.block);
    const here = formatArea(model.sheets[area.sheet]!.name, area.block);
    faults.add(
      place,
      problem(
        `There are two ${kind}s named '${name}', at ${where} and at ${here}.`,
        'Rename one of them, or delete its name.',
      ),
    );
    return;
  }
  if (name.length > MAX_NAME_LENGTH)
    faults.add(
      place,
      problem(
        `The name of the ${kind} '${name.slice(0, 40)}…' is too long.`,
        `Use at most ${MAX_NAME_LENGTH} characters.`,
      ),
    );
  drafts.push(draft);
}

export function placeOfArea(model: WorkbookModel, { sheet, block }: Area): FaultPlace {
  return { sheet: model.sheets[sheet]!.name, cell: formatCell(block.top, block.left) };
}

/** Attaches a row to the parameter that a defined name has declared. */
function joinRow(model: WorkbookModel, draft: Draft, row: PortalRow, faults: FaultList): void {
  if (draft.row) {
    faults.add(placeOf(row, 'Name'), problem(`There are two rows for '${draft.name}'.`, 'Delete one of them.'));
    return;
  }
  draft.row = row;
  const range = textOf(row, 'Range');
  if (range === '') return;
  const found = resolveArea(model, range, null);
  const isSame =
    'area' in found && found.area.sheet === draft.area.sheet && sameBlock(found.area.block, draft.area.block);
  if (isSame) return;
  faults.add(
    placeOf(row, 'Range'),
    problem(
      `'${draft.name}' has a defined name for ${formatArea(model.sheets[draft.area.sheet]!.name, draft.area.block)}, and a Range that says otherwise.`,
      'Empty the Range, or delete the defined name.',
    ),
  );
}

function fromRow(model: WorkbookModel, kind: ParameterKind, row: PortalRow, drafts: Draft[], faults: FaultList): void {
  const name = displayName(textOf(row, 'Name'));
  const range = textOf(row, 'Range');
  if (range === '') {
    // A name that exists but points nowhere already has its own problem.
    const isBroken = model.names.some((defined) => {
      const bare = PREFIXES[kind].exec(defined.name)?.[1];
      return bare !== undefined && !defined.hidden && sameName(displayName(bare), name, kind);
    });
    if (isBroken) return;
    const prefix = kind === 'input' ? 'in_' : 'out_';
    const remedy = `Enter the Range, or define the name ${prefix}${name.replaceAll(/\W+/g, '_')}.`;
    faults.add(placeOf(row, 'Name'), problem(`No cells are named for the ${kind} '${name}'.`, remedy));
    return;
  }
  const found = resolveArea(model, range, null);
  if ('problem' in found) {
    faults.add(
      placeOf(row, 'Range'),
      problem(`The Range of '${name}' ${found.problem.message}.`, found.problem.remedy),
    );
    return;
  }
  addDraft(model, drafts, { kind, name, area: found.area, row, place: placeOfArea(model, found.area) }, faults);
}
