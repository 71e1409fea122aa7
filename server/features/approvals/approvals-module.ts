import type { FastifyInstance } from 'fastify';
import { createNotificationChoices } from '#server/features/alerts/notification-choices-service.ts';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { createApprovalMailer } from './approval-mailer.ts';
import { registerApprovalsRoutes } from './approvals-routes.ts';
import { createApprovalsService, type ApprovalsService } from './approvals-service.ts';

export { waitingMails } from './approval-mailer.ts';

export const approvalsModule = {
  create: (core: Core & { files: FilesService; users: UsersService }) => ({
    approvals: createApprovalsService({ ...core, runAccess: core.checklistRunAccess }),
    approvalMailer: createApprovalMailer({
      ...core,
      title: core.config.title,
      mailed: createNotificationChoices(core.database, core).mailed,
    }),
  }),
  register: (http: FastifyInstance, { approvals }: { approvals: ApprovalsService }): void =>
    registerApprovalsRoutes(http, approvals),
};
