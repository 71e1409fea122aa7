/** Why an operation on a named connection failed; `kind` is for programs, the message for people. */
export type ConnectionFault =
  /** No such connection is configured. */
  | 'missing'
  /** The person may not use the connection. */
  | 'denied'
  /** The connection is configured as read-only. */
  | 'readOnly'
  /** The query may not be run: it writes, or refers to something that does not exist. */
  | 'invalid'
  /** The database cannot be reached, or the connection was lost during the operation. */
  | 'unreachable'
  /** The database rejected the statement. */
  | 'refused'
  /** The query ended the transaction that was to be rolled back: it may have written. */
  | 'transactionLeft'
  | 'tooManyRows'
  | 'timeLimit'
  /** The signal was aborted; the statement was ended in the database too. */
  | 'cancelled';

/** Errors in the setup of the activity or server, which a retry does not fix: a run ends as LogicError. */
const OF_SETUP: readonly ConnectionFault[] = ['missing', 'denied', 'readOnly', 'invalid', 'transactionLeft'];

export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly kind: ConnectionFault;

  constructor(kind: ConnectionFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }

  get isOfSetup(): boolean {
    return OF_SETUP.includes(this.kind);
  }
}
