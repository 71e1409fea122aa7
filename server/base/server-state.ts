/** What a process is doing as a whole, known to all its parts. */
export interface ServerState {
  /** It is about to stop: it answers calls, but takes no runs, and others are to be asked instead. */
  isDraining: boolean;
  /** What people are told while nothing may be started; null where there is no maintenance. */
  maintenance: string | null;
}

export const newServerState = (): ServerState => ({ isDraining: false, maintenance: null });
