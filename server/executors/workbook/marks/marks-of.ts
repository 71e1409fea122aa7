/** Returns the inputs and outputs that a workbook declares, as marks on its cells. */
import type { DefinedName, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { formatBlock } from '#shared/codecs/cell-address.ts';
import { MARK_OPTIONS } from '#shared/rules/parameter-kinds.ts';
import type { Mark, MarkOptions, MarkRole } from '#shared/contract/designs.ts';
import type { CellView } from '../definitions/cell-view.ts';
import { createProblemList } from '../definitions/problems.ts';
import { declareParameters, sameName } from '../definitions/parameters.ts';
import type { Draft, ParameterKind } from '../definitions/parameters.ts';
import { readPortalTables } from '../definitions/portal-tables.ts';
import type { PortalRow } from '../definitions/portal-tables.ts';

/** A mark in the file, and what declares it. */
export interface DeclaredMark {
  mark: Mark;
  draft: Draft;
  /** The defined name that declares it; null if a table's own name or a row of the Portal sheet declares it. */
  definedName: DefinedName | null;
  /** The name of its cells in the Range column of the Portal sheet, if marking created one. */
  cellsName: DefinedName | null;
}

/** Prefix of names for cells whose mark has a name that Excel does not allow. */
export const CELLS_PREFIX = 'cells_';

const KIND_OF_ROLE: Record<MarkRole, ParameterKind> = { Input: 'input', Output: 'output' };

/**
 * Returns the marks in the order of the file. Omits what cannot be read: reading the definition reports it as a
 * problem.
 */
export function declaredMarks(model: WorkbookModel, view: CellView): DeclaredMark[] {
  const ignored = createProblemList();
  const portal = readPortalTables(model, view, ignored);
  const of = (role: MarkRole, rows: readonly PortalRow[]): DeclaredMark[] =>
    declareParameters(model, KIND_OF_ROLE[role], rows, ignored).map((draft) => declared(model, role, draft));
  return [...of('Input', portal.PortalInputs), ...of('Output', portal.PortalOutputs)];
}

function declared(model: WorkbookModel, role: MarkRole, draft: Draft): DeclaredMark {
  const { name, area, row, kind } = draft;
  const isNamed = (text: string): boolean => hasPrefix(text, kind) && sameName(name, text, kind);
  const definedName = model.names.find((defined) => !defined.hidden && isNamed(defined.name)) ?? null;
  const table = definedName === null ? model.tables.find((one) => isNamed(one.name)) : undefined;
  return {
    draft,
    definedName,
    cellsName: cellsNameOf(model, row),
    mark: {
      Role: role,
      Name: name,
      Sheet: model.sheets[area.sheet]!.name,
      Range: formatBlock(area.block),
      Options: optionsOf(row),
      ...(table && { Table: table.name }),
    },
  };
}

function cellsNameOf(model: WorkbookModel, row: PortalRow | null): DefinedName | null {
  const range = row?.cells.get('Range')?.text.toLowerCase() ?? '';
  if (!range.startsWith(CELLS_PREFIX)) return null;
  return model.names.find(({ name, sheet }) => sheet === null && name.toLowerCase() === range) ?? null;
}

const hasPrefix = (name: string, kind: ParameterKind): boolean =>
  (kind === 'input' ? /^(?:in_|Xinput_)./is : /^(?:out_|Xoutput_)./is).test(name);

function optionsOf(row: PortalRow | null): MarkOptions {
  const options: MarkOptions = {};
  for (const name of MARK_OPTIONS) {
    const text = row?.cells.get(name)?.text ?? '';
    if (text !== '') options[name] = text;
  }
  return options;
}
