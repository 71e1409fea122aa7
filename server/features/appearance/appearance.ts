/** Title and logos of this installation, from the settings. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { PageSettings } from '#shared/contract/settings.ts';
import type { Config } from '#server/config/config-schema.ts';
import { StartError } from '#server/base/start-error.ts';

export interface Logo {
  bytes: Buffer;
  type: string;
  /** Hash of the content, for cache busting. */
  version: string;
}

export interface Appearance {
  settings: PageSettings;
  /** Logos of the sign-in page and of the top bar; null for the program's own logo. */
  logos: readonly [Logo | null, Logo | null];
}

const TYPES: Record<string, string> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};
const LARGEST = 512 * 1024;

type AppearanceConfig = Pick<Config, 'title' | 'logo1' | 'logo2' | 'versionOnLogo' | 'betaUrl'> &
  Pick<Config, 'passwordMinLength' | 'passwordMaxLength' | 'passwordComposition'>;

/**
 * Reads the logos. Throws a StartError for a logo that cannot be read, has no supported image type, or is larger than
 * 512 KB.
 */
export function createAppearance(config: AppearanceConfig, version: string): Appearance {
  const first = readLogo('RUNSHEET_LOGO1', config.logo1);
  const second = readLogo('RUNSHEET_LOGO2', config.logo2) ?? first;
  return {
    settings: {
      title: config.title,
      logo1: addressOf(1, first),
      logo2: addressOf(2, second),
      versionOnLogo: config.versionOnLogo ? 1 : 0,
      version,
      betaUrl: config.betaUrl,
      passwordMinLength: config.passwordMinLength,
      passwordMaxLength: config.passwordMaxLength,
      passwordComposition: config.passwordComposition,
    },
    logos: [first, second],
  };
}

const addressOf = (number: number, logo: Logo | null): string =>
  logo ? `api/settings/logo/${number}?v=${logo.version}` : '';

function readLogo(setting: string, path: string): Logo | null {
  if (path === '') return null;
  const type = TYPES[extname(path).toLowerCase()];
  if (!type) throw new StartError(`${setting} must name a .png, .svg, .jpg or .webp file, not ${path}`);
  try {
    const bytes = readFileSync(path);
    if (bytes.length > LARGEST) throw new StartError(`${setting}: ${path} is larger than 512 KB`);
    const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
    return { bytes, type, version };
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`${setting} names ${path}, which cannot be read: ${(cause as Error).message}`, { cause });
  }
}
