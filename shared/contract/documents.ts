/** Documents behind shared links. Source: specification of security, sections 2 and 7. */
import { Type, type Static } from 'typebox';
import { closed, get, signedIn, tokenAccess } from './endpoint.ts';

const Token = Type.String({ minLength: 20, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' });

export const Document = closed({
  FileName: Type.String(),
  /** Token for documentFile; valid for two minutes. */
  Token: Type.String(),
});
export type Document = Static<typeof Document>;

export const findDocument = get('/api/documents/:uniqueId', {
  access: signedIn,
  summary: 'Get the name of a file that a run created, and a token for it; for users who may see the run',
  // Accepts any text: one that names no document is answered with "not found".
  parts: { params: closed({ uniqueId: Type.String({ minLength: 1, maxLength: 100 }) }), result: Document },
});

export const documentFile = get('/api/documents/token/:token', {
  access: tokenAccess,
  summary: 'Download the document of a token',
  transport: 'file',
  parts: { params: closed({ token: Token }) },
});
