/** How a run form was opened. */
import type { ChecklistInput } from '#shared/contract/checklists.ts';
import type { OutputTransform } from '#shared/contract/links.ts';

export type FormOrigin =
  | { kind: 'own' }
  /** From a finished run, by a link. */
  | { kind: 'link'; linkId: number; runId: number; transforms: readonly OutputTransform[] }
  /** Of a checklist, or of it as a workflow: its inputs are those of several activities. */
  | { kind: 'checklist'; workflowId: number | null; workflowVersion: number | null; inputs: readonly ChecklistInput[] }
  /** By a visitor, who is not signed in. */
  | { kind: 'public' };

export const OWN_FORM: FormOrigin = { kind: 'own' };
