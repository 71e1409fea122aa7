import type { FastifyInstance } from 'fastify';
import { VERSION } from '#server/base/version.ts';
import type { Core } from '#server/features/core.ts';
import { createAppearance, type Appearance } from './appearance.ts';
import { registerAppearanceRoutes } from './appearance-routes.ts';

export type { Appearance } from './appearance.ts';

export const appearanceModule = {
  create: ({ config }: Core) => ({ appearance: createAppearance(config, VERSION) }),
  register: (http: FastifyInstance, { appearance }: { appearance: Appearance }): void =>
    registerAppearanceRoutes(http, appearance),
};
