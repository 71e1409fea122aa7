/** What a worker knows of a run that it carries out. */
/** A run that a worker holds; the fence tells this claim from any other of the same run. */
export interface ClaimedRun {
  Id: number;
  ActivityId: number;
  ActivityVersion: number;
  MemoryCost: number;
  SingleRun: boolean;
  Fence: number;
  /** Of the checklist or workflow whose step it is. */
  ChecklistRunId: number | null;
  /** The run whose Start step started it. */
  ParentRunId: number | null;
  /** The trace that it belongs to, if any. */
  TraceParent?: string | null;
  /** Of one that was taken from the queue. */
  QueueTime?: Date;
  PickupTime?: Date;
}
