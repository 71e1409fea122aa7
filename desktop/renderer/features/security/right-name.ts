import { isRightName, RIGHTS } from '#shared/contract/rights.ts';
import { said } from '#renderer/language/translate.ts';

/**
 * Returns the description of a built-in right. For rights created on this server, whose descriptions only the server
 * knows, it returns the name.
 */
export const plainRight = (name: string): string => (isRightName(name) ? said(RIGHTS[name].Description) : name);
