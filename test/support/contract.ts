import { readdir } from 'node:fs/promises';
import type { Endpoint } from '#shared/contract/endpoint.ts';

const CONTRACT = new URL('../../shared/contract/', import.meta.url);

/** All the endpoints of the contract: a module of that folder need not be listed anywhere to be held against the routes. */
export async function contractEndpoints(): Promise<Endpoint[]> {
  const files = (await readdir(CONTRACT)).filter((file) => !file.endsWith('.test.ts'));
  const modules = await Promise.all(files.map((file) => import(new URL(file, CONTRACT).href) as Promise<unknown>));
  return modules.flatMap((module) => Object.values(module as Record<string, unknown>).flatMap(endpointsIn));
}

/** Endpoints of a module, and those it keeps in families such as {grant: {all, one}}. */
function endpointsIn(value: unknown): Endpoint[] {
  if (typeof value !== 'object' || value === null || '~kind' in value) return [];
  return 'transport' in value ? [value as Endpoint] : Object.values(value).flatMap(endpointsIn);
}
