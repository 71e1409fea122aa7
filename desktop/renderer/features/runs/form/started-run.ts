/** What the start of a form answers. */
export interface StartedRun {
  Id: number;
  /** What opens the run of a visitor. */
  RunToken?: string;
}
