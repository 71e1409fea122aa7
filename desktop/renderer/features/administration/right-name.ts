import { isRightName, RIGHTS } from '#shared/contract/rights.ts';
import { said } from '#renderer/language/translate.ts';

/** What a right is for, in plain words; the name itself of those that were made here, whose words the server alone knows. */
export const plainRight = (name: string): string => (isRightName(name) ? said(RIGHTS[name].Description) : name);
