import { ASSISTANT_SCOPES, CONSENT_PATH } from '#shared/contract/assistants.ts';

/** What the portal says about itself as a resource. RFC 9728, section 2. */
export const resourceMetadata = (resource: string, issuer: string, title: string): Record<string, unknown> => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: ASSISTANT_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: title,
});

/** What the portal says about itself as an authorization server. RFC 8414, section 2; RFC 9207, section 3. */
export const authorizationMetadata = (issuer: string): Record<string, unknown> => ({
  issuer,
  authorization_endpoint: `${issuer}/${CONSENT_PATH}`,
  token_endpoint: `${issuer}/oauth/token`,
  registration_endpoint: `${issuer}/oauth/register`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: ASSISTANT_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});
