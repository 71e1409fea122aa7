import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/approvals.ts';
import type { ApprovalsService } from './approvals-service.ts';

export function registerApprovalsRoutes(app: FastifyInstance, approvals: ApprovalsService): void {
  registerEndpoint(app, contract.approvalCount, ({ person }) => approvals.count(person));
  registerEndpoint(app, contract.approvals, ({ person, query }) =>
    approvals.list(person, query.Show ?? 'waiting', query.Before ?? null),
  );
  registerEndpoint(app, contract.approvalDetails, ({ person, params }) => approvals.details(person, params.id));
  registerEndpoint(app, contract.approvalState, ({ person, params }) => approvals.state(person, params.id));
  registerEndpoint(app, contract.decideApproval, async ({ person, params, body, request }) => ({
    Outcome: await approvals.decide(person, request.ip, {
      id: params.id,
      Approved: body.Approved,
      Comment: body.Comment ?? '',
    }),
  }));
  registerEndpoint(app, contract.downloadApprovalFile, ({ person, params }) =>
    approvals.download(person, params.id, params.value, params.file),
  );
  registerEndpoint(app, contract.dismissApproval, async ({ person, params }) => {
    await approvals.dismiss(person, params.id);
    return null;
  });
}
