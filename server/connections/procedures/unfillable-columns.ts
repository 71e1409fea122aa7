import type { ProcedureParameter } from '#server/base/procedure-types.ts';

/**
 * Returns why rows of table parameters cannot be entered, as one sentence per parameter that names the column; empty if
 * they can.
 */
export function unfillableColumns(parameters: readonly Pick<ProcedureParameter, 'name' | 'type'>[]): string[] {
  return parameters.flatMap(({ name, type }) => {
    const bytes = type.columns.find((column) => column.type.kind === 'File' || column.type.kind === 'Table');
    return bytes ? [`The column ${bytes.name} of '${name}' cannot be filled in: it is ${bytes.type.declared}`] : [];
  });
}
