/** Starts that this computer stores until the server is reachable. */
import { encodeInput } from '#shared/codecs/input-form.ts';
import type { StartBody } from '#shared/contract/runs.ts';
import { isLiveForm } from '#shared/rules/live-form.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { t } from '#renderer/language/translate.ts';
import { draftOf } from '#renderer/features/run-form/draft/form-draft.ts';
import { isHiddenInput } from '#renderer/features/run-form/form-inputs.ts';
import type { RunFormState } from '#renderer/features/run-form/run-form-store.ts';

export interface QueuedForm {
  body: StartBody;
  /** True if the start was already sent, but no response arrived. */
  wasSent: boolean;
}

const NO_KEYCHAIN = t(
  'The server cannot be reached, and this start cannot wait in the outbox: this computer has no keychain that Runsheet can use, or the keychain is locked. Start it when the server is available again. To use the outbox, set up or unlock the keychain (on Linux, GNOME Keyring or KWallet) and restart Runsheet',
);

/** Returns the request body that starts the run of the form. */
export function startOf({ activity, forms, uniqueId }: RunFormState, acceptsOutdated: boolean): StartBody {
  return {
    ActivityId: activity.Id,
    ActivityVersion: activity.Version,
    ...(acceptsOutdated ? { AcceptOutdatedVersion: true } : {}),
    UniqueId: uniqueId,
    Inputs: activity.Inputs.flatMap((input) => encodeInput(input, forms[input.Id]!)),
  };
}

/** Returns why a form cannot wait for its server; null if it can. */
export function whyNotQueued({ activity, origin }: Pick<RunFormState, 'activity' | 'origin'>): string | null {
  if (!bridge.outbox.isOffered) return t('The server cannot be reached');
  if (origin.kind !== 'own') return t('The server cannot be reached, and this start needs values from it');
  if (isLiveForm(activity)) return t('The server cannot be reached, and this form needs it to calculate the workbook');
  return bridge.outbox.canQueue() ? null : NO_KEYCHAIN;
}

/**
 * Stores the start. Returns the problem as a text for the user, or '' on success. Storing it twice starts it only once.
 */
export async function queueStart({ activity, forms }: RunFormState, { body, wasSent }: QueuedForm): Promise<string> {
  const { Problem } = await bridge.outbox.add({
    ActivityName: activity.Name,
    Start: JSON.stringify(body),
    WasSent: wasSent,
    // Hidden inputs are not filled in, and are not shown with the waiting start.
    Form: JSON.stringify(
      draftOf(
        activity.Inputs.filter((input) => !isHiddenInput(input)),
        forms,
      ),
    ),
  });
  return Problem;
}
