/** Settings for the appearance of pages, and for plugin pages; part of the schema of all settings. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

const PluginPage = Type.Object(
  {
    /** Shown in the side menu and in the page's URL. */
    name: Type.String({ minLength: 1, maxLength: 40, pattern: '^[^/\\\\?#%\\p{Cc}]+$' }),
    /** URL from which the page is loaded. */
    url: Type.String({ minLength: 1, maxLength: 2000 }),
    /** The right needed to open the page; absent for everybody. */
    rightToView: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  },
  { additionalProperties: false },
);
type PluginPage = Static<typeof PluginPage>;

const PluginPages = Type.Array(PluginPage, { maxItems: 50 });

export const APPEARANCE_SETTINGS = {
  title: Type.String({
    default: 'Runsheet',
    minLength: 1,
    maxLength: 60,
    values: 'a text of up to 60 characters',
    group: 'Appearance',
    description: 'Name of this installation, shown on its pages.',
  }),
  logo1: Type.String({
    default: '',
    values: 'the path of a .png, .svg, .jpg or .webp file, or nothing',
    group: 'Appearance',
    description: 'Logo of the sign-in page. Empty: the logo of the program.',
  }),
  logo2: Type.String({
    default: '',
    values: 'the path of a .png, .svg, .jpg or .webp file, or nothing',
    group: 'Appearance',
    description: 'Logo of the top bar, shown 24 pixels high. Empty: the logo of the sign-in page.',
  }),
  versionOnLogo: Type.Boolean({
    default: true,
    group: 'Appearance',
    description: "Whether the program's version is shown beside the logo.",
  }),
  betaUrl: Type.String({
    default: '',
    values: 'a path such as /beta/ or a URL, or nothing',
    group: 'Appearance',
    description: 'Target of the Beta button in the top bar, for people who try the next version. Empty: no button.',
  }),
  pluginPages: Type.Unsafe<PluginPage[]>({
    ...PluginPages,
    default: [],
    json: true,
    values:
      'a JSON array such as [{"name": "Rates", "url": "https://rates.example.org/", "rightToView": "view.rates"}], each name of at most 40 characters',
    group: 'Appearance',
    description:
      'Pages of other programs, each with an entry in the side menu and shown in a frame; see docs/plugin-pages.md. rightToView is optional.',
  }),
};

/** Checks plugin pages for problems that the schema cannot express. */
export function arePluginPages(pages: unknown): boolean {
  if (!Value.Check(PluginPages, pages)) return false;
  const names = new Set(pages.map(({ name }) => name.toLowerCase()));
  return names.size === pages.length && pages.every(({ url }) => isPageAddress(url));
}

/** Plain http is allowed only for this machine, for trials: an https portal could not show such a page anyway. */
function isPageAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username } = new URL(url);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return username === '' && (protocol === 'https:' || (protocol === 'http:' && isHere));
}

export const isBetaAddress = (text: string): boolean =>
  text === '' || /^\/(?!\/)[\w./~-]*$/.test(text) || (/^https?:\/\//.test(text) && URL.canParse(text));
