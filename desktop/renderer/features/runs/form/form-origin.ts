/** How a run form was opened. */
import type { OutputTransform } from '#shared/contract/links.ts';

export type FormOrigin =
  | { kind: 'own' }
  /** From a finished run, by a link. */
  | { kind: 'link'; linkId: number; runId: number; transforms: readonly OutputTransform[] }
  /** By a visitor, who is not signed in. */
  | { kind: 'public' };

export const OWN_FORM: FormOrigin = { kind: 'own' };
