/** The license. Source: specification of security, sections 2, 5 and 7. */
import { Type, type Static } from 'typebox';
import { closed, nullable, post, userAdmin } from './endpoint.ts';

/**
 * Licensee and end of the license. Expiry is the last valid day as a serial day; null if the license does not expire.
 */
export const License = closed({ Company: Type.String(), Expiry: nullable(Type.Number()) });
export type License = Static<typeof License>;

/**
 * Maximum size of a piece of a license key that one server key can encrypt. RSA-OAEP with 2,048 bits and SHA-256 takes
 * 190 bytes.
 */
export const MAX_LICENSE_PART_LENGTH = 180;

export const renewLicense = post('/api/admin/renewLicense', {
  access: userAdmin,
  summary: 'Set a new license key. It is encrypted like passwords, in pieces, one per line',
  parts: { body: closed({ Key: Type.String({ minLength: 1, maxLength: 8192 }) }), result: License },
});
