import type { ProcedureParameter } from '#server/base/procedure-types.ts';

/** Why rows of a parameter cannot be filled in, each a sentence that names the column; none where they can. */
export function unfillableColumns(parameters: readonly Pick<ProcedureParameter, 'name' | 'type'>[]): string[] {
  return parameters.flatMap(({ name, type }) => {
    const bytes = type.columns.find((column) => column.type.kind === 'File' || column.type.kind === 'Table');
    return bytes ? [`The column ${bytes.name} of '${name}' cannot be filled in: it is ${bytes.type.declared}`] : [];
  });
}
