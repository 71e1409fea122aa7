import type { RequiredRight } from '#shared/contract/designs.ts';
import { t } from '#renderer/language/translate.ts';

/**
 * Returns why nobody but administrators could change an input that requires a right of this name; null if such a right
 * exists.
 * @param rights undefined if they are not known
 */
export function rightIssue(typed: string, rights: readonly RequiredRight[] | undefined): string | null {
  const name = typed.trim();
  if (name === '' || !rights || rights.some(({ Name }) => Name === name)) return null;
  const similar = rights.find(({ Name }) => Name.toLowerCase() === name.toLowerCase());
  if (similar) return t('Upper and lower case matter: the right is named {name}.', { name: similar.Name });
  return t(
    'There is no right {name}, so only administrators could change the value. Choose another right, or have this one created on the page Rights.',
    { name },
  );
}

/** Returns the names to suggest: first the rights that were created for workbooks in this portal. */
export function suggestedRights(rights: readonly RequiredRight[] | undefined): string[] {
  const names = (rights ?? []).map(({ Name }) => Name);
  const isOfProgram = (name: string): boolean => name.startsWith('sk.');
  return [...names.filter((name) => !isOfProgram(name)), ...names.filter(isOfProgram)];
}
