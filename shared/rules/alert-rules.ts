import type { AlertReceivers } from '#shared/contract/alerts.ts';

/** Somebody is named, and no way by which they would hear of it. */
export const isUnheard = ({ Roles, UserIds, ByBell, ByMail }: AlertReceivers, canMail: boolean): boolean =>
  Roles.length + UserIds.length > 0 && !ByBell && !(ByMail && canMail);
