import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/input-sets.ts';
import type { InputSetsService } from './input-sets-service.ts';

/** Inputs with tables can be long. */
const SET_BODY_BYTES = 16 * 1024 * 1024;

export function registerInputSetsRoutes(app: FastifyInstance, sets: InputSetsService): void {
  registerEndpoint(app, contract.listInputSets, ({ person, params }) => sets.list(person, params.id));
  registerEndpoint(app, contract.readInputSet, ({ person, params }) => sets.read(person, params.id));
  registerEndpoint(app, contract.saveInputSet, ({ person, body }) => sets.save(person, body), {
    bodyLimit: SET_BODY_BYTES,
  });
  registerEndpoint(app, contract.deleteInputSet, async ({ person, params }) => {
    await sets.delete(person, params.id);
    return null;
  });
}
