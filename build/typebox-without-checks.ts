/**
 * Stands in for typebox in the renderer's build. The contract makes its schemas with Type.…; the renderer takes only their
 * types, and calls through method and path. The server checks. So the schemas may be empty here, and 88 kB stay away from
 * every first visit. Modules that would check something (typebox/value, typebox/schema) are refused by vite.config.ts.
 */
export const Type: unknown = new Proxy({}, { get: () => () => ({}) });
