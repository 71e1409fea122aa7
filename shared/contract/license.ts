/** The licence. Source: specification of security, sections 2, 5 and 7. */
import { Type, type Static } from 'typebox';
import { closed, nullable, post, userAdmin } from './endpoint.ts';

/** For whom and until when: Expiry is a serial day, the last one that counts; null where the licence does not end. */
export const License = closed({ Company: Type.String(), Expiry: nullable(Type.Number()) });
export type License = Static<typeof License>;

/** Longest piece of a key that one key of the server encrypts. RSA-OAEP with 2,048 bits and SHA-256 takes 190 bytes. */
export const LICENSE_PIECE = 180;

export const renewLicense = post('/api/admin/renewLicense', {
  access: userAdmin,
  summary: 'Put a new licence key in place. It is encrypted as passwords are: in pieces, one to a line',
  parts: { body: closed({ Key: Type.String({ minLength: 1, maxLength: 8192 }) }), result: License },
});
