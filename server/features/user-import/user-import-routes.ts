import type { FastifyInstance } from 'fastify';
import { importUsers, previewUserImport, setUsersEnabled } from '#shared/contract/user-import.ts';
import { actorOf } from '#server/access/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { UserImportService } from './user-import-service.ts';

export function registerUserImportRoutes(app: FastifyInstance, imports: UserImportService): void {
  registerEndpoint(app, previewUserImport, ({ person, body, request }) =>
    imports.preview({ person, actor: actorOf(person, request.ip) }, body),
  );
  registerEndpoint(app, importUsers, async ({ person, body, request }) => {
    const { Users, ...origin } = body;
    const Outcomes = await imports.create({ person, actor: actorOf(person, request.ip) }, Users, origin);
    return { Outcomes };
  });
  registerEndpoint(app, setUsersEnabled, async ({ person, body, request }) => ({
    Outcomes: await imports.setEnabled(actorOf(person, request.ip), body.UserIds, body.Enabled),
  }));
}
