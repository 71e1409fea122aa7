/** What a worker knows of a run that it executes. */
/** A run that a worker holds; the fence distinguishes this claim from any other claim of the same run. */
export interface ClaimedRun {
  Id: number;
  ActivityId: number;
  ActivityVersion: number;
  MemoryCost: number;
  SingleRun: boolean;
  Fence: number;
  /** The checklist or workflow run, if this run is one of its steps. */
  ChecklistRunId: number | null;
  /** The run whose Start step started this one. */
  ParentRunId: number | null;
  /** Trace that the run belongs to, if any. */
  TraceParent?: string | null;
  /** Set if the run was claimed from the queue. */
  QueueTime?: Date;
  PickupTime?: Date;
}
