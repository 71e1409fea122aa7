/** What the log of a scheduled run, and the list of a schedule's past occurrences, say about an occurrence. */

/** Why an occurrence starts late. */
export type LateReason = 'NoServer' | 'Waited';

/**
 * @param due the occurrence, as formatOccurrence formats it
 * @param passedOver number of later occurrences that are not caught up
 */
export function lateText(due: string, reason: LateReason, passedOver = 0): string {
  // Whole sentences, so that each can be translated as one.
  if (reason === 'Waited') return `Starts late: it was due on ${due}, and waited for the run before it to end`;
  const more = passedOver === 0 ? '' : `; later times that passed meanwhile and are not made up for: ${passedOver}`;
  return `Starts late: it was due on ${due}, when no server was there to start it${more}`;
}

/** @param count number of occurrences that are not caught up */
export const missedText = (count: number): string =>
  count === 1
    ? 'Not made up for: no server was there to start it, or it waited for the run before it'
    : `Not made up for: ${count} times, of which this is the last`;

/** @param before id of the pending run because of which the occurrence starts nothing */
export const pendingText = (before: number): string =>
  `Run ${before}, which the schedule started before, had not ended`;

export const INACTIVE_TEXT = 'The activity was not active';
