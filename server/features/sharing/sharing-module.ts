import type { FastifyInstance } from 'fastify';
import type { DeliveryEngine } from '#server/automation/deliveries/delivery-engine.ts';
import { createNotificationChoices } from '#server/features/alerts/notification-choices-service.ts';
import type { Core } from '#server/features/core.ts';
import type { GrantsService } from '#server/features/rights/grants-service.ts';
import { createAccessMailer } from './access-mailer.ts';
import { createAccessNotices } from './access-notices-service.ts';
import { createAccessRequestsService } from './access-requests-service.ts';
import { cleanSharing } from './clean-sharing.ts';
import { createReasonsService } from './reasons-service.ts';
import { createSharesService } from './shares-service.ts';
import { registerSharingRoutes, type SharingRoutesDeps } from './sharing-routes.ts';

export interface Needs extends Core {
  grants: GrantsService;
  deliveries: DeliveryEngine;
}

export const sharingModule = {
  create: (core: Needs) => {
    const { config, database, access, mail, address, sharingAccess: sharing, grants, deliveries } = core;
    const { title, editorsMayShare } = config;
    const kick = (): void => deliveries.kick();
    const { mailed } = createNotificationChoices(database, config);
    const mailer = createAccessMailer({ canMail: mail.isConfigured, title, address, mailed, kick });
    const deps = { ...core, sharing, mailer, editorsMayShare };
    return {
      shares: createSharesService(deps),
      reasons: createReasonsService({ ...deps, hasTrustedNetworks: config.trustedNetworks.length > 0 }),
      accessRequests: createAccessRequestsService(deps),
      accessNotices: createAccessNotices(database, { sharing, access }),
      /** Ends public links that have expired, and deletes old requests and notices. */
      cleanSharing: (): Promise<void> => cleanSharing(database, grants),
    };
  },
  register: (http: FastifyInstance, parts: SharingRoutesDeps): void => registerSharingRoutes(http, parts),
};
