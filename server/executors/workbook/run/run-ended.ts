/** Ends a run in the middle, with a status that is no fault of this program. What went wrong has been logged. */
export class RunEnded extends Error {
  readonly status: 'Failed' | 'LogicError';
  constructor(status: 'Failed' | 'LogicError', options?: ErrorOptions) {
    super(`The run ended with the status ${status}`, options);
    this.name = 'RunEnded';
    this.status = status;
  }
}
