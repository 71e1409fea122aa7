import type { FastifyInstance } from 'fastify';
import * as contract from '#shared/contract/users.ts';
import { AppError } from '#server/base/app-error.ts';
import { actorOf } from '#server/access/actor.ts';
import { NO_PERMISSION } from '#server/http/access.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { Person } from '#server/base/person.ts';
import type { UsersAdminService } from './users-admin-service.ts';

export function registerUsersRoutes(app: FastifyInstance, users: UsersAdminService): void {
  /** People who manage users or their passwords may see users. */
  async function requireEither(person: Person) {
    const abilities = await users.abilities(person);
    if (!abilities.canManageUsers && !abilities.canManagePasswords) throw new AppError('forbidden', 403, NO_PERMISSION);
    return abilities;
  }

  registerEndpoint(app, contract.listUsers, async ({ person, query }) => {
    const abilities = await requireEither(person);
    return { ...(await users.list(query)), ...abilities };
  });
  registerEndpoint(app, contract.userProfile, async ({ person, params }) => {
    await requireEither(person);
    return users.profile(params.id);
  });
  registerEndpoint(app, contract.userNameOf, async ({ person, params }) => {
    await requireEither(person);
    return (await users.profile(params.id)).UserName;
  });
  registerEndpoint(app, contract.rightToManageUsers, ({ person }) => users.abilities(person));

  registerEndpoint(app, contract.directoryProfile, ({ params, query }) =>
    users.directoryProfile(params.userName, query.SourceName),
  );
  registerEndpoint(app, contract.createUser, async ({ person, body, request }) => {
    const { Password, ...fields } = body;
    return users.create(actorOf(person, request.ip), fields, Password);
  });
  registerEndpoint(app, contract.updateUser, async ({ person, body, request }) => {
    const { UserId, Seen, ...fields } = body;
    await users.update(actorOf(person, request.ip), UserId, fields, Seen);
    return null;
  });
  registerEndpoint(app, contract.enableUser, async ({ person, params, request }) => {
    await users.enable(actorOf(person, request.ip), params.id);
    return null;
  });
  registerEndpoint(app, contract.disableUser, async ({ person, params, request }) => {
    await users.disable(actorOf(person, request.ip), params.id);
    return null;
  });
  registerEndpoint(app, contract.deleteUser, async ({ person, params, request }) => {
    await users.delete(actorOf(person, request.ip), params.id);
    return null;
  });
  registerEndpoint(app, contract.setNewPassword, async ({ person, body, request }) => {
    await users.setPassword(actorOf(person, request.ip), body.UserName, body.Password);
    return null;
  });
}
