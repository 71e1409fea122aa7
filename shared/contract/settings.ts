/** What pages look like, and pages that others contribute. Source: specification of security, sections 2 and 3. */
import { Type, type Static } from 'typebox';
import { closed, get, publicAccess, signedIn } from './endpoint.ts';

/** Stands in the page as <meta name="runsheet-settings">, as JSON, so that the first thing shown is right (page-settings-meta.ts). */
export const PageSettings = closed({
  title: Type.String(),
  /** Address relative to the base path; '' for the program's own. */
  logo1: Type.String(),
  logo2: Type.String(),
  /** 1: the version stands beside the logo. */
  versionOnLogo: Type.Integer(),
  version: Type.String(),
  /** '' for no button. */
  betaUrl: Type.String(),
  /** Characters of a password. */
  passwordMinLength: Type.Integer(),
  passwordMaxLength: Type.Integer(),
  /** Whether it needs a digit, letters of both cases and a special character. */
  passwordComposition: Type.Boolean(),
});
export type PageSettings = Static<typeof PageSettings>;

export const portalSettings = get('/api/settings', {
  access: publicAccess,
  summary: 'What this installation is called and looks like, for programs that bring pages of their own',
  parts: { result: PageSettings },
});

export const portalLogo = get('/api/settings/logo/:number', {
  access: publicAccess,
  summary: 'A logo of this installation: 1 of the sign-in page, 2 of the top bar',
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
  summary: 'Pages of other programs that the caller may open',
  offline: 'answer',
  parts: { result: closed({ Items: Type.Array(PluginPage) }) },
});

export const pluginPage = get('/api/plugins/:name', {
  access: signedIn,
  summary: 'One page of another program; needs its rightToView',
  parts: { params: closed({ name: Type.String({ minLength: 1, maxLength: 40 }) }), result: PluginPage },
});
