import type { Design, RequiredRight } from '#shared/contract/designs.ts';
import { rightNameIssue } from '#shared/contract/rights.ts';
import { t } from '#renderer/language/translate.ts';

/** The rights that the author may see. */
export interface VisibleRights {
  list: readonly RequiredRight[];
  /** True if no other right exists. */
  isComplete: boolean;
}

/** Returns undefined if the server does not list rights. Servers of earlier releases list all of them. */
export const visibleRights = ({ Rights, HasAllRights = true }: Design): VisibleRights | undefined =>
  Rights && { list: Rights, isComplete: HasAllRights };

/** Returns the visible right of this name; undefined if there is none. */
export const findRight = (typed: string, rights: VisibleRights | undefined): RequiredRight | undefined =>
  rights?.list.find(({ Name }) => Name === typed.trim());

/** Returns true if there may be a right of this name that the author may not see. */
export const mayBeHidden = (typed: string, rights: VisibleRights | undefined): boolean =>
  rights?.isComplete === false && rightNameIssue(typed.trim()) === null && !findRight(typed, rights);

/**
 * Returns why nobody but administrators could change an input that requires a right of this name; null if such a right
 * exists or may exist.
 * @param rights undefined if they are not known
 */
export function rightIssue(typed: string, rights: VisibleRights | undefined): string | null {
  const name = typed.trim();
  if (name === '' || !rights || findRight(name, rights)) return null;
  const similar = rights.list.find(({ Name }) => Name.toLowerCase() === name.toLowerCase());
  if (similar) return t('Upper and lower case matter: the right is named {name}.', { name: similar.Name });
  if (mayBeHidden(name, rights)) return null;
  return t(
    'There is no right {name}, so only administrators could change the value. Choose another right, or have this one created on the Rights page.',
    { name },
  );
}

/** Returns the names to suggest: first the rights that were created for workbooks in this portal. */
export function suggestedRights(rights: VisibleRights | undefined): string[] {
  const names = (rights?.list ?? []).map(({ Name }) => Name);
  const isOfProgram = (name: string): boolean => name.startsWith('sk.');
  return [...names.filter((name) => !isOfProgram(name)), ...names.filter(isOfProgram)];
}
