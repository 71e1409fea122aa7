/**
 * Checks test cases before they are saved: their values must be able to start a run, they must compare something, and
 * their names must be unused.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import type { PropertyCheck, TestCaseContent } from '#shared/contract/test-beds.ts';
import { refusedValues, type Candidate } from './replay-cases.ts';

/**
 * Applies the rules of a start, because the case is replayed like one. Problems are keyed 'Inputs/{name}', because an
 * output may have the same name.
 */
export function requireStartable(candidate: Pick<Candidate, 'definition' | 'presets'>, content: TestCaseContent): void {
  const refused = Object.entries(refusedValues(candidate, content));
  if (refused.length === 0) return;
  const texts = refused.map(([name, messages]) => `${name}: ${messages.join(' ')}`);
  const modelState = Object.fromEntries(refused.map(([name, messages]) => [`Inputs/${name}`, messages]));
  throw new AppError('testCaseInvalid', 400, texts.join('. '), { modelState });
}

/** A case that does not expect success compares how the run ends, and needs no expected outputs. */
export function requireComparing(cases: readonly TestCaseContent[], checks: readonly PropertyCheck[]): void {
  if (checks.length > 0) return;
  const empty = cases.find(({ Status, Expected }) => Status.startsWith('Succeeded') && Expected.length === 0);
  if (!empty) return;
  const text = `The test case ${empty.Name.trim()} compares nothing and would always pass: specify an expected output`;
  throw new AppError('testCaseComparesNothing', 400, text, { modelState: { Expected: [text] } });
}

/**
 * Returns the keys of the names of the activity's cases, except the one with the Id. Names that differ only by case are
 * equal.
 */
export async function takenNames(
  db: Db,
  { ActivityId, Id }: { ActivityId: number; Id: number | null },
): Promise<Set<string>> {
  const rows = await db('TestCases').where({ ActivityId }).select('Id', 'Name');
  return new Set(rows.filter((row) => row.Id !== Id).map(({ Name }) => nameKey(Name.trim())));
}

export const nameTaken = (name: string): string => `A test case ${name.trim()} already exists: choose another name`;

export async function requireNewNames(
  db: Db,
  of: { ActivityId: number; Id: number | null },
  names: readonly string[],
): Promise<void> {
  const taken = await takenNames(db, of);
  for (const name of names) {
    const key = nameKey(name.trim());
    if (taken.has(key)) {
      const text = nameTaken(name);
      throw new AppError('testCaseNameTaken', 409, text, { modelState: { Name: [text] } });
    }
    taken.add(key);
  }
}
