/** Composes sharing of activities, and requests for access to them. */
import { publicAddress } from '#server/config/public-address.ts';
import { createNotificationChoices } from '#server/features/alerts/notification-choices-service.ts';
import { createAccessMailer } from '#server/features/sharing/access-mailer.ts';
import { createAccessRequestsService } from '#server/features/sharing/access-requests-service.ts';
import { cleanSharing } from '#server/features/sharing/clean-sharing.ts';
import { createReasonsService } from '#server/features/sharing/reasons-service.ts';
import { createSharesService } from '#server/features/sharing/shares-service.ts';
import type { SharingRoutesDeps } from '#server/features/sharing/sharing-routes.ts';
import type { OutgoingDeps } from './outgoing-deps.ts';

export interface SharingParts extends SharingRoutesDeps {
  /** Ends public links that have expired, and deletes old requests and notices. */
  clean(): Promise<void>;
}

/** @param kick sends queued mails soon */
export function createSharingParts(deps: OutgoingDeps, kick: () => void): SharingParts {
  const { config, database, log, rights, mail, administration, portal } = deps;
  const { title, editorsMayShare } = config;
  const { mailed } = createNotificationChoices(database, { timeZone: config.timeZone });
  const address = publicAddress(config);
  const mailer = createAccessMailer({ canMail: mail.isConfigured, title, address, mailed, kick });
  const { access, runAccess, sharingAccess: sharing, accessNotices } = portal;
  const { grants } = administration;
  const shared = { database, log, rights, access, sharing, grants, mailer };
  return {
    shares: createSharesService(shared),
    reasons: createReasonsService({ ...shared, hasTrustedNetworks: config.trustedNetworks.length > 0 }),
    accessRequests: createAccessRequestsService({ ...shared, runAccess, editorsMayShare }),
    accessNotices,
    clean: () => cleanSharing(database, grants),
  };
}
