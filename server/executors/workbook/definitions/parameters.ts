/**
 * Collects the inputs and outputs that a workbook declares by defined names, by table names or by rows of the Portal
 * sheet. Their cells are not read yet.
 */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { Area } from './areas.ts';
import { resolveArea } from './areas.ts';
import { formatArea, sameBlock } from './blocks.ts';
import type { ProblemList, ProblemLocation } from './problems.ts';
import { problem, WHOLE_FILE } from './problems.ts';
import type { PortalRow } from './portal-tables.ts';
import { locationOf, textOf } from './portal-tables.ts';

export type ParameterKind = 'input' | 'output';

export interface Draft {
  kind: ParameterKind;
  name: string;
  area: Area;
  row: PortalRow | null;
  /** Its first cell, where its problems are reported. */
  location: ProblemLocation;
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
  problems: ProblemList,
): Draft[] {
  const drafts = fromNames(model, kind, problems);
  fromTables(model, kind, drafts, problems);
  for (const row of rows) {
    if (textOf(row, 'Name') === '') {
      problems.add(
        row.location,
        problem(`A row of Portal${kind === 'input' ? 'Inputs' : 'Outputs'} has no Name.`, 'Enter a value.'),
      );
      continue;
    }
    const draft = drafts.find(({ name }) => sameName(name, textOf(row, 'Name'), kind));
    if (draft) joinRow(model, draft, row, problems);
    else fromRow(model, kind, row, drafts, problems);
  }
  return drafts;
}

export const displayName = (text: string): string => text.replaceAll('_', ' ').replace(/\s+/g, ' ').trim();

/** Returns true if a row's Name refers to a parameter, by its displayed name or by the spelling of the defined name. */
export function sameName(name: string, written: string, kind: ParameterKind): boolean {
  const bare = PREFIXES[kind].exec(written)?.[1] ?? written;
  return [written, bare].some((text) => displayName(text).toLowerCase() === name.toLowerCase());
}

function fromNames(model: WorkbookModel, kind: ParameterKind, problems: ProblemList): Draft[] {
  const drafts: Draft[] = [];
  for (const defined of model.names) {
    const bare = PREFIXES[kind].exec(defined.name)?.[1];
    // Skip hidden names: programs create them, and users cannot fix them in the Name Manager.
    if (bare === undefined || defined.hidden) continue;
    const name = displayName(bare);
    const found = resolveArea(model, defined.text, defined.sheet);
    if (name === '' || 'problem' in found) {
      const what = name === '' ? { message: 'says no name behind its prefix', howToFix: 'Rename it.' } : null;
      const { message, howToFix } = what ?? (found as Extract<typeof found, { problem: unknown }>).problem;
      const scope = defined.sheet === null ? WHOLE_FILE : { sheet: model.sheets[defined.sheet]?.name ?? '', cell: '' };
      problems.add(scope, problem(`The name '${defined.name}' ${message}.`, `${howToFix} (Formulas, Name Manager)`));
      continue;
    }
    addDraft(
      model,
      drafts,
      { kind, name, area: found.area, row: null, location: locationOfArea(model, found.area) },
      problems,
    );
  }
  return drafts;
}

/** Adds tables whose own names declare them, unless a defined name has already declared them. */
function fromTables(model: WorkbookModel, kind: ParameterKind, drafts: Draft[], problems: ProblemList): void {
  for (const table of model.tables) {
    const name = displayName(PREFIXES[kind].exec(table.name)?.[1] ?? '');
    const found = name === '' ? null : resolveArea(model, table.name, null);
    if (!found || 'problem' in found) continue;
    const { area } = found;
    const isDeclared = drafts.some(
      (draft) => draft.area.sheet === area.sheet && sameBlock(draft.area.block, area.block),
    );
    if (!isDeclared)
      addDraft(model, drafts, { kind, name, area, row: null, location: locationOfArea(model, area) }, problems);
  }
}

function addDraft(model: WorkbookModel, drafts: Draft[], draft: Draft, problems: ProblemList): void {
  const { name, kind, location, area } = draft;
  if (drafts.length >= MAX_PARAMETERS) {
    const message = `The workbook has more than ${MAX_PARAMETERS} ${kind}s.`;
    problems.add(
      WHOLE_FILE,
      problem(message, 'Define names for blocks of cells or Excel tables instead of single cells.'),
    );
    return;
  }
  const twin = drafts.find((other) => other.name.toLowerCase() === name.toLowerCase());
  if (twin) {
    const where = formatArea(model.sheets[twin.area.sheet]!.name, twin.area.block);
    const here = formatArea(model.sheets[area.sheet]!.name, area.block);
    problems.add(
      location,
      problem(
        `There are two ${kind}s named '${name}', at ${where} and at ${here}.`,
        'Rename one of them, or delete its name.',
      ),
    );
    return;
  }
  if (name.length > MAX_NAME_LENGTH)
    problems.add(
      location,
      problem(
        `The name of the ${kind} '${name.slice(0, 40)}…' is too long.`,
        `Use at most ${MAX_NAME_LENGTH} characters.`,
      ),
    );
  drafts.push(draft);
}

function locationOfArea(model: WorkbookModel, { sheet, block }: Area): ProblemLocation {
  return { sheet: model.sheets[sheet]!.name, cell: formatCell(block.top, block.left) };
}

/** Attaches a row to the parameter that a defined name has declared. */
function joinRow(model: WorkbookModel, draft: Draft, row: PortalRow, problems: ProblemList): void {
  if (draft.row) {
    problems.add(locationOf(row, 'Name'), problem(`There are two rows for '${draft.name}'.`, 'Delete one of them.'));
    return;
  }
  draft.row = row;
  const range = textOf(row, 'Range');
  if (range === '') return;
  const found = resolveArea(model, range, null);
  const isSame =
    'area' in found && found.area.sheet === draft.area.sheet && sameBlock(found.area.block, draft.area.block);
  if (isSame) return;
  problems.add(
    locationOf(row, 'Range'),
    problem(
      `'${draft.name}' has a defined name for ${formatArea(model.sheets[draft.area.sheet]!.name, draft.area.block)}, but its Range points to other cells.`,
      'Empty the Range, or delete the defined name.',
    ),
  );
}

function fromRow(
  model: WorkbookModel,
  kind: ParameterKind,
  row: PortalRow,
  drafts: Draft[],
  problems: ProblemList,
): void {
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
    const howToFix = `Enter the Range, or define the name ${prefix}${name.replaceAll(/\W+/g, '_')}.`;
    problems.add(locationOf(row, 'Name'), problem(`No cells are named for the ${kind} '${name}'.`, howToFix));
    return;
  }
  const found = resolveArea(model, range, null);
  if ('problem' in found) {
    problems.add(
      locationOf(row, 'Range'),
      problem(`The Range of '${name}' ${found.problem.message}.`, found.problem.howToFix),
    );
    return;
  }
  addDraft(model, drafts, { kind, name, area: found.area, row, location: locationOfArea(model, found.area) }, problems);
}
