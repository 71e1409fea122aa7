/** What our routes and requests carry beyond Fastify's own. */
import type { Access, Transport } from '#shared/contract/endpoint.ts';
import type { Person } from '#server/base/person.ts';

/** A route as it was made, and who may call it. */
export interface DeclaredRoute {
  method: string;
  url: string;
  access: Access;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is, in the order of registration. */
    declaredRoutes: DeclaredRoute[];
    /** Compiles what no call has compiled yet; throws for a schema that cannot be compiled. */
    compileSchemas(): void;
  }
  interface FastifyContextConfig {
    access?: Access;
    transport?: Transport;
    /** Whether API keys may not make the call. */
    sessionOnly?: boolean;
  }
  interface FastifyRequest {
    /** Set on every route that is neither public nor by token. */
    person: Person | null;
  }
}
