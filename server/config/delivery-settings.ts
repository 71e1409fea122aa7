/** Settings for the addresses to which webhooks and alerts may be sent; part of the schema of all settings. */
import { Type } from 'typebox';

export const DELIVERY_SETTINGS = {
  webhookPrivateAddresses: Type.Array(Type.String({ minLength: 2 }), {
    default: [],
    values: 'IP addresses or ranges such as 10.1.0.0/16, separated by commas',
    group: 'Webhooks',
    description:
      'Private addresses to which webhooks and alerts may be sent, also without encryption. Empty: none, so that nobody can reach what only this server can reach.',
  }),
};
