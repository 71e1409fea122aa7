import type { FastifyInstance } from 'fastify';
import { checkSetup, sendTestMail, setupItems } from '#shared/contract/setup.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { SetupService } from './setup-service.ts';

/** An administrator tries a few times; more would flood a mailbox or another server. */
const CHECKS_PER_MINUTE = 60;
const TEST_MAILS_PER_MINUTE = 10;

export function registerSetupRoutes(app: FastifyInstance, setup: SetupService): void {
  registerEndpoint(app, setupItems, async ({ request }) => ({
    Items: await setup.items({ isForwarded: request.headers['x-forwarded-for'] !== undefined }),
  }));
  registerEndpoint(
    app,
    checkSetup,
    ({ body: { Key, Name, Person = '' } }) => setup.check(Key, { name: Name, person: Person.trim() }),
    {
      callsPerMinute: CHECKS_PER_MINUTE,
    },
  );
  registerEndpoint(app, sendTestMail, ({ person, body }) => setup.testMail(body.To, person), {
    callsPerMinute: TEST_MAILS_PER_MINUTE,
  });
}
