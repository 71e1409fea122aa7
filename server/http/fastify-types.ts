/** Additions of this program to Fastify's routes and requests. */
import type { Access, Transport } from '#shared/contract/endpoint.ts';
import type { Person } from '#server/base/person.ts';

/** A created route, and who may call it. */
export interface DeclaredRoute {
  method: string;
  url: string;
  access: Access;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** All routes in the order of registration. */
    declaredRoutes: DeclaredRoute[];
    /** Compiles the schemas that no call has compiled yet; throws if a schema cannot be compiled. */
    compileSchemas(): void;
  }
  interface FastifyContextConfig {
    access?: Access;
    transport?: Transport;
    /** True if API keys may not make the call. */
    sessionOnly?: boolean;
  }
  interface FastifyRequest {
    /** Set on every route that is neither public nor accessed by token. */
    person: Person | null;
  }
}
