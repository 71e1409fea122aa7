/** Texts for the scope of a right. Source: specification of security, section 3. */
import { t } from '#renderer/language/translate.ts';

export interface ScopeFields {
  KeyColumnName: string;
  KeyColumnValue: string;
  DisplayColumnName?: string;
  DisplayColumnValue?: string;
}

/** Returns 'All', 'Name : Loan schedule' or 'Schema : Finance'. */
export function scopeText({
  KeyColumnName,
  KeyColumnValue,
  DisplayColumnName,
  DisplayColumnValue,
}: ScopeFields): string {
  if (KeyColumnName === '') return t('All');
  if (DisplayColumnName) return `${DisplayColumnName} : ${DisplayColumnValue ?? ''}`;
  return `${KeyColumnName} : ${KeyColumnValue}`;
}

/** Returns the source of an access: 'Explicit', the name of a role, or the right that implies it. */
export function whyText({ Source, ImpliedBy }: { Source: string; ImpliedBy: string }): string {
  const source = sourceText(Source);
  const impliedBy = impliedText(ImpliedBy);
  if (impliedBy === '') return source;
  return source === '' ? impliedBy : t('{source}, implied by {impliedBy}', { source, impliedBy });
}

/** Returns the name of the role that grants the access, or 'Explicit' if the user was named directly. */
export const sourceText = (source: string): string => (source === 'Explicit' ? t('Explicit') : source);

/** Returns what implies a right. */
export const impliedText = (impliedBy: string): string =>
  impliedBy === 'IsUserAdmin' ? t('Administrator') : impliedBy;
