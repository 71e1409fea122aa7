import { readdir } from 'node:fs/promises';
import type { Endpoint } from '#shared/contract/endpoint.ts';

const CONTRACT = new URL('../../shared/contract/', import.meta.url);

/** Returns all endpoints of the contract. Modules in its folder need no registration to be compared with the routes. */
export async function contractEndpoints(): Promise<Endpoint[]> {
  const files = (await readdir(CONTRACT)).filter((file) => !file.endsWith('.test.ts'));
  const modules = await Promise.all(files.map((file) => import(new URL(file, CONTRACT).href) as Promise<unknown>));
  return modules.flatMap((module) => Object.values(module as Record<string, unknown>).flatMap(endpointsIn));
}

/** Returns the endpoints of a module, including nested groups such as {grant: {all, one}}. */
function endpointsIn(value: unknown): Endpoint[] {
  if (typeof value !== 'object' || value === null || '~kind' in value) return [];
  return 'transport' in value ? [value as Endpoint] : Object.values(value).flatMap(endpointsIn);
}
