/** Appearance of pages, and pages contributed by plugins. Source: specification of security, sections 2 and 3. */
import { Type, type Static } from 'typebox';
import { closed, get, publicAccess, signedIn } from './endpoint.ts';

/**
 * Embedded in the page as <meta name="runsheet-settings"> in JSON, so that the first render is already correct
 * (page-settings-meta.ts).
 */
export const PageSettings = closed({
  title: Type.String(),
  /** Address relative to the base path; '' for the program's own logo. */
  logo1: Type.String(),
  logo2: Type.String(),
  /** 1 to show the version beside the logo. */
  versionOnLogo: Type.Integer(),
  version: Type.String(),
  /** '' to hide the button. */
  betaUrl: Type.String(),
  /** Number of characters of a password. */
  passwordMinLength: Type.Integer(),
  passwordMaxLength: Type.Integer(),
  /** True if a password needs a digit, letters of both cases and a special character. */
  passwordComposition: Type.Boolean(),
});
export type PageSettings = Static<typeof PageSettings>;

export const portalSettings = get('/api/settings', {
  access: publicAccess,
  summary: 'Get the name and logos of this installation, for programs with their own pages',
  parts: { result: PageSettings },
});

export const portalLogo = get('/api/settings/logo/:number', {
  access: publicAccess,
  summary: 'Get a logo of this installation: 1 for the sign-in page, 2 for the top bar',
  transport: 'file',
  parts: {
    params: closed({ number: Type.Integer({ minimum: 1, maximum: 2 }) }),
    query: closed({ v: Type.Optional(Type.String({ maxLength: 20 })) }),
  },
});

export const PluginPage = closed({
  name: Type.String(),
  url: Type.String(),
  rightToView: Type.Optional(Type.String()),
});
export type PluginPage = Static<typeof PluginPage>;

export const listPluginPages = get('/api/plugins', {
  access: signedIn,
  summary: 'List the plugin pages that the caller may open',
  offline: 'answer',
  parts: { result: closed({ Items: Type.Array(PluginPage) }) },
});

export const pluginPage = get('/api/plugins/:name', {
  access: signedIn,
  summary: 'Get a plugin page; requires its rightToView',
  parts: { params: closed({ name: Type.String({ minLength: 1, maxLength: 40 }) }), result: PluginPage },
});
