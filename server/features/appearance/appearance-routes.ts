import type { FastifyInstance } from 'fastify';
import { portalLogo, portalSettings } from '#shared/contract/settings.ts';
import { AppError } from '#server/base/app-error.ts';
import { registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import type { Appearance } from './appearance.ts';

/** A browser can open an .svg address as a separate document, so nothing in it may run or load. */
const NOTHING_ACTIVE = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  // default-src does not cover these three.
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ');

export function registerAppearanceRoutes(app: FastifyInstance, { logos, settings }: Appearance): void {
  registerPublicEndpoint(app, portalSettings, () => settings);
  registerPublicEndpoint(app, portalLogo, ({ params, reply }) => {
    const logo = logos[params.number - 1];
    if (!logo) throw new AppError('noLogo', 404, 'This installation has no custom logo');
    return reply
      .type(logo.type)
      .header('cache-control', 'public, max-age=86400')
      .header('content-security-policy', NOTHING_ACTIVE)
      .send(logo.bytes);
  });
}
