/** Explains in words why a user holds a right or does not. */
import type { OwnRight } from '#shared/contract/own-rights.ts';
import { currentLocale, said, t } from '#renderer/language/translate.ts';

type Told = Omit<OwnRight, 'Right' | 'Description'>;

export function rightReason({ Access, ...told }: Told, nameOf: (right: string) => string): string {
  return Access ? whyHeld(told, nameOf) : whyNotHeld(told);
}

function whyHeld({ Source, Role, ImpliedBy, ...of }: Omit<Told, 'Access'>, nameOf: (right: string) => string): string {
  const where = placeOf(of);
  if (ImpliedBy === 'IsUserAdmin') return t('You administer users, and hold every right.');
  if (Source === 'implied')
    return t('It comes with the right to {right}, {where}.', { right: nameOf(ImpliedBy), where });
  if (Source === 'role') return t('Your role {role} gives it to you, {where}.', { role: Role, where });
  return t('It was given to you by name, {where}.', { where });
}

function whyNotHeld({ Source, Role, ...of }: Omit<Told, 'Access'>): string {
  const where = placeOf(of);
  switch (Source) {
    case 'role':
      return t('Your role {role} denies it, {where}.', { role: Role, where });
    case 'explicit':
      return t('It was denied to you by name, {where}.', { where });
    case 'internet':
      return t('You hold it, but it does not count outside of the trusted networks, from where you call.');
    case 'key':
      return t('The API key was not made for it.');
    default:
      return t('Neither were you given it by name, nor is it given by any of your roles.');
  }
}

function placeOf({ KeyColumn, KeyValue }: Pick<Told, 'KeyColumn' | 'KeyValue'>): string {
  if (KeyColumn === '') return t('for all');
  return KeyColumn === 'Schema' ? t('for the schema {schema}', { schema: KeyValue }) : t('for this one alone');
}

/** Returns 'change activities and upload new versions', for use within a sentence. */
export function rightWords(description: string): string {
  const words = said(description);
  // Other languages quote the description unchanged.
  return currentLocale() !== 'en' ? words : words.slice(0, 1).toLowerCase() + words.slice(1);
}
