/** Why the work on a run was stopped from outside; the reason of its AbortSignal. */
export type StopReason =
  /** A person cancelled it. */
  | 'cancelled'
  /** The lease could not be renewed, or is another's. */
  | 'lost'
  /** The server is stopping. */
  | 'stopping'
  /** It has waited here too long for its calculation to begin. */
  | 'waited';

export class RunStopped extends Error {
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(`the run was stopped: ${reason}`);
    this.name = 'RunStopped';
    this.reason = reason;
  }
}
