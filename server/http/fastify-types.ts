/** What our routes and requests carry beyond Fastify's own. */
import type { Access, Transport } from '#shared/contract/endpoint.ts';
import type { Person } from '#server/person.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    transport?: Transport;
  }
  interface FastifyRequest {
    /** Set on every route that is neither public nor by token. */
    person: Person | null;
  }
}
