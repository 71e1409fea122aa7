/** The option `--region`: the region by whose conventions a command reads ambiguous numbers and dates. */
import { REGION_IDS, regionOf, type TextRegion } from '#shared/codecs/text-region.ts';
import { CliError } from './cli-error.ts';

export const REGION_HELP = 'how numbers and dates are written: en-US, en-GB, de-DE, …';

export function readRegion(tag: string): TextRegion {
  const found = REGION_IDS.find((id) => id.toLowerCase() === tag.toLowerCase());
  if (found === undefined) throw new CliError(`"${tag}" is not a region: choose one of ${REGION_IDS.join(', ')}`);
  return regionOf(found);
}
