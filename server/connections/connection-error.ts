/** Why a named connection did not do what was asked; `kind` is for programs, the message for people. */
export type ConnectionFault =
  /** No such connection is configured. */
  | 'missing'
  /** The person may not use it. */
  | 'denied'
  /** It is configured for reading alone. */
  | 'readOnly'
  /** The query is none that may be run: it writes, or names what is not there. */
  | 'invalid'
  /** The database cannot be reached, or went away in the middle. */
  | 'unreachable'
  /** The database refused the statement. */
  | 'refused'
  /** The query ended the transaction that was to take it back: it may have written. */
  | 'transactionLeft'
  | 'tooManyRows'
  | 'timeLimit'
  /** The signal was aborted: the statement was ended in the database too. */
  | 'cancelled';

/** Faults of how activity and server are set up, which trying again does not mend: a run ends LogicError. */
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
