/** System notifications about alerts, approvals and access, as far as the user wants them on the desktop. */
import type { ShownChoices, ShownList } from './shown-list.ts';

export interface OtherMessage {
  id: string;
  title: string;
  body: string;
  /** Path of the page that it refers to. */
  path: string;
  /** Milliseconds since 1970. */
  time: number;
  isWanted: boolean;
}

export function otherMessages({ Alerts, Approvals, Access = [] }: ShownList, choices: ShownChoices): OtherMessage[] {
  return [
    ...Alerts.map(({ NoticeId, AlertFiringId, IsOfOwnActivity, Name, Message, Time }) => ({
      ...textsOf(Name, Message, Time),
      id: `alert ${NoticeId}`,
      path: `/alerts/firings/${AlertFiringId}`,
      isWanted: IsOfOwnActivity ? choices.Activities.Desktop : choices.Alerts.Desktop,
    })),
    // A reminder has another time: it is new.
    ...Approvals.map(({ ApprovalId, Name, Message, Time }) => ({
      ...textsOf(Name, Message, Time),
      id: `approval ${ApprovalId} ${Time}`,
      path: `/approvals/${ApprovalId}`,
      isWanted: choices.Approvals.Desktop,
    })),
    ...Access.map(({ Kind, Id, Name, Message, Time, ActivityId }) => ({
      ...textsOf(Name, Message, Time),
      id: `access ${Kind} ${Id}`,
      path: Kind === 'Requested' ? '/accessRequests' : `/activities/${ActivityId}/`,
      isWanted: Kind === 'Requested' ? choices.Requests.Desktop : choices.Shares.Desktop,
    })),
  ];
}

const textsOf = (title: string, body: string, Time: string) => ({ title, body, time: Date.parse(Time) });
