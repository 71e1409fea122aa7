/**
 * How the code of a sign-in gets from the portal's page to the add-in's in the same window: by the store of that window, never by an address.
 * Known to both builds.
 */
export const ADD_IN_CODE_KEY = 'addInCode';

/** What lies there until it is taken. Code is '' where the person did not agree. */
export interface DialogCode {
  Code: string;
  State: string;
}
