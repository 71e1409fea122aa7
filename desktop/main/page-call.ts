/** Of a call that its page can cancel. */
export interface CallControl {
  signal: AbortSignal;
  /** Called with the bytes that have been sent, and how many there are. */
  onSent: (sent: number, total: number) => void;
}

/** A call that a page makes of the server. */
export interface PageCall {
  method: string;
  path: string;
  /** With its question mark; '' for none. */
  search: string;
  body: Uint8Array | undefined;
  contentType: string;
  /** Whether the page named a session that is kept here. */
  isSignedIn: boolean;
}
