/** Checks values that only a database or the portal's connections can check. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { PickersService } from '#server/features/pickers/pickers-service.ts';
import type { ActivityVersion } from '#server/versions/version-catalog.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import type { ReadRows } from './evaluate-request.ts';

/** Maximum number of different values per call, because each set takes a query. */
const MAX_SETS = 100;

/**
 * Throws an AppError 400 with messages by input name if a value is not allowed by its Database picker or connection.
 * Other inputs are ignored, except those that queries refer to.
 */
export async function checkPicked(
  pickers: Pick<PickersService, 'checkValues'>,
  of: { person: Person; version: ActivityVersion; inputs: readonly Input[] },
  { rows, given }: ReadRows,
): Promise<void> {
  const checked = of.inputs.filter(isChecked);
  if (!checked.some(({ Id }) => given.has(Id))) return;
  const others = new Set(checked.flatMap(({ Info }) => Info.Pickers.flatMap(({ OtherInputs = [] }) => OtherInputs)));
  const needed = of.inputs.filter((input) => checked.includes(input) || others.has(input.Name));
  const isVarying = ({ Id }: Input): boolean => {
    const own = given.get(Id);
    return own?.kind === 'rows' && own.values.length !== 1;
  };
  const sameInAll = needed.filter((input) => !isVarying(input)).map((input) => valueOf(input, given, 0));
  const varying = needed.filter(isVarying);
  const sets = new Map<string, RunInputValue[]>();
  // What all rows have in common may be large, so it is read once.
  for (let row = 0; row < (varying.length > 0 ? Math.max(rows, 1) : 1); row += 1) {
    const values = varying.map((input) => valueOf(input, given, row));
    sets.set(JSON.stringify(values), [...values, ...sameInAll]);
    if (sets.size > MAX_SETS) throw tooManySets(checked);
  }
  for (const values of sets.values()) await pickers.checkValues(of.person, of.version, of.inputs, values);
}

function valueOf({ Id }: Input, given: ReadRows['given'], row: number): RunInputValue {
  const own = given.get(Id);
  const value = own?.kind === 'rows' ? own.values[own.values.length === 1 ? 0 : row] : undefined;
  const json = JSON.stringify(own?.kind === 'all' ? own.value : value);
  return { ActivityParameterId: Id, Value: json ?? null, UseDefault: json === undefined };
}

const isChecked = ({ Info }: Input): boolean =>
  Info.Pickers.some(({ Type, PreventOtherValues }) => Type === 'Database' && PreventOtherValues) ||
  Info.CellUsages.includes('ConnectionString');

function tooManySets(checked: readonly Input[]): AppError {
  const names = checked.map(({ Name }) => Name).join(', ');
  const message = `A database checks the values of ${names}. A call may contain at most ${MAX_SETS} different values for them`;
  return new AppError('tooManyChecks', 413, message);
}
