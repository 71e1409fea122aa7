/** How a run form was opened. */
import type { ChecklistInputValue } from '#shared/contract/checklist-runs.ts';
import type { ChecklistInput } from '#shared/contract/checklists.ts';
import type { OutputTransform } from '#shared/contract/links.ts';
import type { StartedRun } from './start/started-run.ts';

export type FormOrigin =
  | { kind: 'own' }
  /** Opened from a finished run by a link. */
  | { kind: 'link'; linkId: number; runId: number; transforms: readonly OutputTransform[] }
  /** The form of a checklist or workflow; its inputs belong to several activities. */
  | {
      kind: 'checklist';
      workflowId: number | null;
      workflowVersion: number | null;
      inputs: readonly ChecklistInput[];
      /** Continues an earlier run instead of starting a new one. Values are sent under the names of the inputs. */
      resume?: (values: ChecklistInputValue[], uniqueId: string | null) => Promise<StartedRun>;
    }
  /** Opened by a visitor, who is not signed in. */
  | { kind: 'public' };

export const OWN_FORM: FormOrigin = { kind: 'own' };
