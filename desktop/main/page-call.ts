/** Control over a call that its page can cancel. */
export interface CallControl {
  signal: AbortSignal;
  /** Called with the number of bytes sent, and the total. */
  onSent: (sent: number, total: number) => void;
}

/** A page's call to the server. */
export interface PageCall {
  method: string;
  path: string;
  /** The query with its question mark; '' for none. */
  search: string;
  body: Uint8Array | undefined;
  contentType: string;
  /** True if the call carries a session whose token is stored here. */
  isSignedIn: boolean;
}
