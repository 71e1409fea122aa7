/** A run that waits for the steps before it. */
export interface RunToRelease {
  Id: number;
  ActivityId: number;
  ActivityVersion: number;
  MemoryCost: number;
  SingleRun: boolean;
  TurnOwner: string;
  TraceParent: string | null;
}
