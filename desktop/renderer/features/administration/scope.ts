/** What a right reaches: for people to read. Source: specification of security, section 3. */
import { t } from '#renderer/language/translate.ts';

export interface ScopeFields {
  KeyColumnName: string;
  KeyColumnValue: string;
  DisplayColumnName?: string;
  DisplayColumnValue?: string;
}

/** 'All', 'Name : Loan schedule' or 'Schema : Finance'. */
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

/** Where an access comes from: 'Explicit', a role's name, a right that brings it. */
export function whyText({ Source, ImpliedBy }: { Source: string; ImpliedBy: string }): string {
  const source = sourceText(Source);
  const impliedBy = impliedText(ImpliedBy);
  if (impliedBy === '') return source;
  return source === '' ? impliedBy : t('{source}, implied by {impliedBy}', { source, impliedBy });
}

/** Who says it: a role, or that it was said of the person by name. */
export const sourceText = (source: string): string => (source === 'Explicit' ? t('Explicit') : source);

/** What brings a right along. */
export const impliedText = (impliedBy: string): string =>
  impliedBy === 'IsUserAdmin' ? t('Administrator') : impliedBy;
