/** What the log of a scheduled run, and the list of a schedule's past occurrences, say about an occurrence. */

/** Why an occurrence starts late. */
export type LateReason = 'NoServer' | 'Waited';

/**
 * @param due the occurrence, as formatOccurrence formats it
 * @param passedOver number of later occurrences that are not caught up
 */
export function lateText(due: string, reason: LateReason, passedOver = 0): string {
  // Whole sentences, so that each can be translated as one.
  if (reason === 'Waited') return `Starts late: it was due on ${due}, and waited for the previous run to end`;
  const more = passedOver === 0 ? '' : `; later missed occurrences that will not be started: ${passedOver}`;
  return `Starts late: it was due on ${due}, when no server was running${more}`;
}

/**
 * The outcome beside it says that the occurrence was missed.
 * @param count number of occurrences that are not caught up
 */
export const missedText = (count: number): string =>
  count === 1
    ? 'No server was running to start it, or it waited for the previous run'
    : `${count} occurrences, of which this is the last`;

/** @param before id of the pending run because of which the occurrence starts nothing */
export const pendingText = (before: number): string =>
  `Run ${before}, which the schedule started before, had not ended`;

export const INACTIVE_TEXT = 'The activity was not active';
