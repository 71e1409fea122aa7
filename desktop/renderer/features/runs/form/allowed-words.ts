import { said } from '#renderer/language/translate.ts';

/** Tells what is allowed apart from other messages: '1 to 40' alone would fit much. */
const ALLOWED = 'Allowed: ';

/** What a rule allows, as the shared rules and the server say it, in the language of the person. */
export function allowedWords(text: string): string {
  const own = said(ALLOWED + text);
  return own.slice(own.indexOf(': ') + 2);
}
