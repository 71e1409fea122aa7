/** The state of a process as a whole, shared with all its parts. */
export interface ServerState {
  /**
   * The process answers calls but takes no runs, and load balancers should use others: it is about to stop, or an
   * administrator drains it.
   */
  isDraining: boolean;
  /** It is about to stop, which cannot be undone. */
  isStopping: boolean;
  /** Message for people while nothing may be started; null if there is no maintenance. */
  maintenance: string | null;
  /** Files can currently be neither stored nor read: runs that would fail because of this are not taken. */
  isFileStoreAway: boolean;
  /** Other versions of the program that use the same database, as during a rolling upgrade. */
  otherVersions: readonly string[];
}

export const newServerState = (): ServerState => ({
  isDraining: false,
  isStopping: false,
  maintenance: null,
  isFileStoreAway: false,
  otherVersions: [],
});
