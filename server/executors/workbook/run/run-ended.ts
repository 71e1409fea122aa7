/** Ends a run early with a status that is not a server error. The cause is already logged. */
export class RunEnded extends Error {
  readonly status: 'Failed' | 'LogicError';
  constructor(status: 'Failed' | 'LogicError', options?: ErrorOptions) {
    super(`The run ended with the status ${status}`, options);
    this.name = 'RunEnded';
    this.status = status;
  }
}
