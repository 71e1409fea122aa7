/**
 * What the client reads of the answers about notifications. Unlike the schemas of the contract, these allow what they do
 * not know, and lack what servers of earlier versions do not send: otherwise the client would go silent when the server
 * is updated before it, or after it.
 */
import { Type, type Static, type TProperties } from 'typebox';
import {
  AccessNotification,
  AlertNotification,
  ApprovalNotification,
  Notification,
} from '#shared/contract/notifications.ts';

/** The same fields, and any others. */
const open = <P extends TProperties>({ properties }: { properties: P }) => Type.Object(properties);

export const ShownList = Type.Object({
  Items: Type.Array(open(Notification)),
  Approvals: Type.Array(open(ApprovalNotification)),
  Alerts: Type.Array(Type.Object({ ...AlertNotification.properties, IsOfOwnActivity: Type.Optional(Type.Boolean()) })),
  Access: Type.Optional(Type.Array(open(AccessNotification))),
});
export type ShownList = Static<typeof ShownList>;

const OnDesktop = Type.Object({ Desktop: Type.Boolean() });

export const ShownChoices = Type.Object({
  Runs: OnDesktop,
  Activities: OnDesktop,
  Approvals: OnDesktop,
  Shares: OnDesktop,
  Requests: OnDesktop,
  Alerts: OnDesktop,
});
export type ShownChoices = Static<typeof ShownChoices>;
