/** The portal's page as served by this program in place of the server. */
import { PAGE_SETTINGS_META } from '#shared/contract/page-settings-meta.ts';
import { CONNECTION_META, NOTICE_META, type ConnectionInfo } from '#bridge/messages.ts';
import type { PageSettings } from '#shared/contract/settings.ts';

export interface PageContent {
  /** Settings of the installation. */
  settings: PageSettings;
  /** State of the connection to its server. */
  connection: ConnectionInfo;
  /** A notice for users who sign in; '' for none. */
  notice: string;
}

/** Returns the built page with the data embedded that it needs at the start. */
export function portalPage(html: string, { settings, connection, notice }: PageContent): string {
  const metas = { [PAGE_SETTINGS_META]: JSON.stringify(settings), [CONNECTION_META]: JSON.stringify(connection) };
  const meta = Object.entries({ ...metas, [NOTICE_META]: notice })
    .map(([name, content]) => `<meta name="${name}" content="${escapeHtml(content)}" />`)
    .join('');
  return html.replace(/<title>[^<]*<\/title>/i, () => `<title>${escapeHtml(settings.title)}</title>${meta}`);
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Returns what the page may load: the server's own policy (server/http/http-server.ts) for the program's page, plus the
 * frame origins of that server. Scripts come only from the program, never from the server.
 */
export function portalPolicy(frameOrigins: readonly string[]): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "script-src-attr 'none'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    `frame-src ${frameOrigins.length > 0 ? frameOrigins.join(' ') : "'none'"}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Policy of the pages of servers, which load only files that come with the program. */
export const SERVERS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";
