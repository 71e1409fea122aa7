/**
 * Passes the code of a sign-in from the portal's page to the add-in's page in the same window, through the window's
 * storage and never through an address. Used by both builds.
 */
export const ADD_IN_CODE_KEY = 'addInCode';

/** Content of the storage until it is taken. Code is '' if the user declined. */
export interface DialogCode {
  Code: string;
  State: string;
}
