/** What a user is notified of, and through which channels. */
import { Type, type Static } from 'typebox';
import { closed, get, post, signedIn } from './endpoint.ts';

/**
 * Runs: runs that the user started. Activities: failures of runs that others started, of activities and workflows that
 * the user owns. Approvals: approvals that wait for the user, or of their runs. Shares: activities that were shared
 * with the user. Requests: requests for access that the user may decide.
 */
export const NOTICE_KINDS = ['Runs', 'Activities', 'Approvals', 'Shares', 'Requests'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const NoticeChannels = closed({
  /** The bell and the page Notifications. */
  Portal: Type.Boolean(),
  Mail: Type.Boolean(),
  /** System notifications of the desktop client, which shows only what the portal shows. */
  Desktop: Type.Boolean(),
});
export type NoticeChannels = Static<typeof NoticeChannels>;

export const NotificationChoices = closed({
  /** Of one's own runs: only those that did not simply succeed, or all. */
  RunLevel: Type.Enum(['Problems', 'All'] as const),
  Runs: NoticeChannels,
  Activities: NoticeChannels,
  Approvals: NoticeChannels,
  Shares: NoticeChannels,
  Requests: NoticeChannels,
  /** Alerts choose their other channels themselves. */
  Alerts: closed({ Desktop: Type.Boolean() }),
});
export type NotificationChoices = Static<typeof NotificationChoices>;

export const DEFAULT_CHOICES: NotificationChoices = {
  RunLevel: 'Problems',
  Runs: { Portal: true, Mail: false, Desktop: true },
  Activities: { Portal: true, Mail: false, Desktop: true },
  Approvals: { Portal: true, Mail: true, Desktop: true },
  Shares: { Portal: true, Mail: true, Desktop: false },
  Requests: { Portal: true, Mail: true, Desktop: false },
  Alerts: { Desktop: true },
};

export const notificationChoices = get('/api/notificationSettings/choices', {
  access: signedIn,
  summary: 'Get what the user is notified of, and how',
  parts: { result: NotificationChoices },
});

export const saveNotificationChoices = post('/api/notificationSettings/choices', {
  access: signedIn,
  summary: 'Set what the user is notified of, and how',
  parts: { body: NotificationChoices, result: Type.Null() },
});
