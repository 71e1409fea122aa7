import {
  activityAlerts,
  alertPeople,
  checklistAlerts,
  saveActivityAlert,
  saveChecklistAlert,
  type AlertDraft,
} from '#shared/contract/alerts.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import { call } from '#renderer/api/client.ts';
import { createSender } from '#renderer/api/create-sender.ts';

/** The activity or checklist that alerts belong to. */
export interface AlertOwner {
  kind: 'activities' | 'checklists';
  id: number;
}

export const listOf = ({ kind }: AlertOwner) => (kind === 'activities' ? activityAlerts : checklistAlerts);

export const alertsPath = ({ kind, id }: AlertOwner): string => `/${kind}/alerts/${id}`;

/** Path of the page on which the owner's alerts are edited. */
export const ownerPath = ({ kind, id }: AlertOwner): string =>
  kind === 'activities' ? `/activities/${id}/` : `/checklists/edit/${id}/`;

const ownerBody = ({ kind, id }: AlertOwner) => (kind === 'activities' ? { ActivityId: id } : { ChecklistId: id });

/** Where the roles and people come from that an alert may notify. */
export interface PeopleSource {
  /** Key of the query, without the search text. */
  key: readonly unknown[];
  find(search: string, signal: AbortSignal): Promise<ResultOf<typeof alertPeople>>;
}

export const peopleOf = (owner: AlertOwner): PeopleSource => ({
  key: [alertPeople.path, owner.kind, owner.id],
  find: (Search, signal) => call(alertPeople, { body: { ...ownerBody(owner), Search }, signal }),
});

type Headers = Readonly<Record<string, string>>;

export function saveAlert({ kind, id }: AlertOwner, draft: AlertDraft, headers: Headers = {}): Promise<{ Id: number }> {
  return kind === 'activities'
    ? call(saveActivityAlert, { body: { ActivityId: id, ...draft }, headers })
    : call(saveChecklistAlert, { body: { ChecklistId: id, ...draft }, headers });
}

export const createAlert = (owner: AlertOwner) =>
  createSender<AlertDraft, { Id: number }>({
    create: (draft, headers) => saveAlert(owner, draft, headers),
    change: ({ Id }, draft) => saveAlert(owner, { ...draft, Id }),
  });
