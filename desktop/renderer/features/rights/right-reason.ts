/** Explains in words why a user holds a right or does not. */
import type { OwnRight } from '#shared/contract/own-rights.ts';
import { currentLocale, said, t } from '#renderer/language/translate.ts';

type RightGrounds = Omit<OwnRight, 'Right' | 'Description'>;

export function rightReason({ Access, ...grounds }: RightGrounds, nameOf: (right: string) => string): string {
  return Access ? whyHeld(grounds, nameOf) : whyNotHeld(grounds);
}

function whyHeld(
  { Source, Role, ImpliedBy, ...of }: Omit<RightGrounds, 'Access'>,
  nameOf: (right: string) => string,
): string {
  const where = scopeText(of);
  if (ImpliedBy === 'IsUserAdmin') return t('You are an administrator and therefore have every right.');
  if (Source === 'implied')
    return t('You have it through the right to {right}, {where}.', { right: nameOf(ImpliedBy), where });
  if (Source === 'role') return t('Your role {role} grants it to you, {where}.', { role: Role, where });
  return t('It was granted to you personally, {where}.', { where });
}

function whyNotHeld({ Source, Role, ...of }: Omit<RightGrounds, 'Access'>): string {
  const where = scopeText(of);
  switch (Source) {
    case 'role':
      return t('Your role {role} denies it, {where}.', { role: Role, where });
    case 'explicit':
      return t('It was denied to you personally, {where}.', { where });
    case 'internet':
      return t('You have it, but only inside the trusted networks, and you are connecting from outside.');
    case 'key':
      return t('The API key does not include it.');
    default:
      return t('It was granted neither to you personally nor to any of your roles.');
  }
}

function scopeText({ KeyColumn, KeyValue }: Pick<RightGrounds, 'KeyColumn' | 'KeyValue'>): string {
  if (KeyColumn === '') return t('for everything');
  return KeyColumn === 'Schema' ? t('for the schema {schema}', { schema: KeyValue }) : t('only for this one');
}

/** Returns 'change activities and upload new versions', for use within a sentence. */
export function rightWords(description: string): string {
  const words = said(description);
  // Other languages quote the description unchanged.
  return currentLocale() !== 'en' ? words : words.slice(0, 1).toLowerCase() + words.slice(1);
}
