/** The JSON bodies sent to webhooks. They never contain values of inputs or outputs. */
import type { RunStatus } from '#shared/contract/run-status.ts';

/** Returns the key that groups the waiting deliveries of a webhook. */
export const targetOf = (webhookId: number): string => `webhook ${webhookId}`;

interface WebhookEvent {
  type: string;
  timestamp: Date;
  data: object;
}

const bodyOf = ({ type, timestamp, data }: WebhookEvent): string =>
  JSON.stringify({ type, timestamp: timestamp.toISOString(), data });

export const trialBody = (name: string): string =>
  bodyOf({ type: 'test', timestamp: new Date(), data: { Webhook: name } });

export interface EndedRun {
  Id: number;
  ActivityId: number;
  ActivityName: string;
  ActivityVersion: number;
  Status: RunStatus;
  UserId: number;
  UserName: string;
  QueueTime: Date;
  StartTime: Date | null;
  EndTime: Date;
  ChecklistRunId: number | null;
}

/** @param address public URL of the portal; null if none is configured */
export function endedRunBody({ Id, ...run }: EndedRun, address: string | null): string {
  const Url = address === null ? null : `${address}activities/runstatus/${Id}/`;
  return bodyOf({ type: 'run.ended', timestamp: run.EndTime, data: { ActivityRunId: Id, ...run, Url } });
}

export interface PublishedVersion {
  ActivityId: number;
  ActivityName: string;
  Version: number;
  UserId: number;
  UserName: string;
  Modified: Date;
  ChangeDescription: string;
}

export function publishedVersionBody(version: PublishedVersion, address: string | null): string {
  const Url = address === null ? null : `${address}activities/versions/${version.ActivityId}`;
  return bodyOf({ type: 'version.published', timestamp: version.Modified, data: { ...version, Url } });
}

export interface AskedApproval {
  Id: number;
  Name: string;
  ChecklistRunId: number;
  ChecklistId: number;
  ChecklistName: string;
  StarterId: number;
  StarterName: string;
  StartTime: Date;
  ExpiryTime: Date | null;
}

export function askedApprovalBody({ Id, ...approval }: AskedApproval, address: string | null): string {
  const Url = address === null ? null : `${address}approvals/${Id}`;
  return bodyOf({ type: 'approval.asked', timestamp: approval.StartTime, data: { ApprovalId: Id, ...approval, Url } });
}
