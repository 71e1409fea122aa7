/** Why the execution of a run was stopped from outside; the reason of its AbortSignal. */
export type StopReason =
  /** A person cancelled the run. */
  | 'cancelled'
  /** The lease could not be renewed, or belongs to another worker. */
  | 'lost'
  /** The server is stopping. */
  | 'stopping'
  /** The run has waited too long in the local queue for its calculation to begin. */
  | 'waited';

export class RunStopped extends Error {
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(`the run was stopped: ${reason}`);
    this.name = 'RunStopped';
    this.reason = reason;
  }
}
