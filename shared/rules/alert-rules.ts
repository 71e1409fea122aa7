import type { AlertReceivers } from '#shared/contract/alerts.ts';

/** Returns whether receivers are named but no channel can reach them. */
export const hasNoChannel = ({ Roles, UserIds, ByBell, ByMail }: AlertReceivers, canMail: boolean): boolean =>
  Roles.length + UserIds.length > 0 && !ByBell && !(ByMail && canMail);
