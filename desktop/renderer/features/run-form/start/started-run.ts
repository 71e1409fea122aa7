/** The response to a start. */
export interface StartedRun {
  Id: number;
  /** Token that gives a visitor access to the run. */
  RunToken?: string;
}
