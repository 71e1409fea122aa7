/** How a run form was opened. */
import type { ChecklistInput } from '#shared/contract/checklists.ts';
import type { OutputTransform } from '#shared/contract/links.ts';

export type FormOrigin =
  | { kind: 'own' }
  /** Opened from a finished run by a link. */
  | { kind: 'link'; linkId: number; runId: number; transforms: readonly OutputTransform[] }
  /** The form of a checklist or workflow; its inputs belong to several activities. */
  | { kind: 'checklist'; workflowId: number | null; workflowVersion: number | null; inputs: readonly ChecklistInput[] }
  /** Opened by a visitor, who is not signed in. */
  | { kind: 'public' };

export const OWN_FORM: FormOrigin = { kind: 'own' };
