import { said } from '#renderer/language/translate.ts';

/** What the server writes where nobody has written anything; what people have written stays as it is. */
const OF_THE_SERVER = /^(Imported|Made from the checklist|(Back|Rolled back) to version \d+(: .*)?)$/s;

/** Why there is a version, in the language of the person where the server has said it. */
export const changeText = (description: string): string =>
  OF_THE_SERVER.test(description) ? said(description) : description;
