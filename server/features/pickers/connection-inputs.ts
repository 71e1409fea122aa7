/** Inputs with the usage ConnectionString: a person chooses one of the connections that they may use. */
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { VersionInput } from '#server/versions/version-catalog.ts';
import { parseValue, ruleIndex } from '#shared/codecs/input-form.ts';
import type { InputInfo, RunInputValue } from '#shared/contract/parameters.ts';

export const takesConnection = ({ CellUsages }: Pick<InputInfo, 'CellUsages'>, column: number): boolean =>
  CellUsages[column] === 'ConnectionString';

export async function connectionNames(connections: ConnectionAccess, person: Holder): Promise<string[]> {
  return (await connections.list(person)).map(({ name }) => name);
}

/** Returns what is wrong with the connections among an input's values. The values are as a run stores them. */
export async function connectionIssues(
  connections: ConnectionAccess,
  person: Holder,
  { Id, Info }: VersionInput,
  values: readonly RunInputValue[],
): Promise<string[]> {
  if (!Info.CellUsages.includes('ConnectionString')) return [];
  const names = new Set((await connectionNames(connections, person)).map((name) => name.toLowerCase()));
  const json = values.find(({ ActivityParameterId }) => ActivityParameterId === Id)?.Value ?? null;
  if (json === null) return [];
  const isWrong = (cell: unknown, row: number, col: number): boolean =>
    takesConnection(Info, ruleIndex(Info, row, col)) && cell !== '' && !names.has(String(cell).trim().toLowerCase());
  const value = parseValue(Info, json);
  const rows = !Array.isArray(value) ? [[value]] : value.map((row) => (Array.isArray(row) ? row : [row]));
  const isRefused = rows.some((cells, row) => cells.some((cell, col) => isWrong(cell, row, col)));
  return isRefused ? ['Please choose a valid value.'] : [];
}
