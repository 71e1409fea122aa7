/** What a process is doing as a whole, known to all its parts. */
export interface ServerState {
  /** It answers calls, but takes no runs, and others are to be asked instead: it is about to stop, or an administrator drains it. */
  isDraining: boolean;
  /** It is about to stop, which nothing takes back. */
  isStopping: boolean;
  /** What people are told while nothing may be started; null where there is no maintenance. */
  maintenance: string | null;
  /** Files can be neither stored nor read at present: no run is taken that would fail of it. */
  isFileStoreAway: boolean;
  /** Other versions of the program that are at work on the same database, as while an installation is upgraded server by server. */
  otherVersions: readonly string[];
}

export const newServerState = (): ServerState => ({
  isDraining: false,
  isStopping: false,
  maintenance: null,
  isFileStoreAway: false,
  otherVersions: [],
});
