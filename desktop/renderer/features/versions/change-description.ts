import { said } from '#renderer/language/translate.ts';

/** Matches descriptions that the server writes itself. Descriptions entered by users stay unchanged. */
const OF_THE_SERVER = /^(Imported|Created from the checklist|Rolled back to version \d+(: .*)?)$/s;

/** Returns the reason for a version, translated if the server wrote it. */
export const changeText = (description: string): string =>
  OF_THE_SERVER.test(description) ? said(description) : description;
