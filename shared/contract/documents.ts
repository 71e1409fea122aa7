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
  summary: 'A file that a run made, for those who may see the run: its name, and a token for it',
  // Accepts any text: one that names no document is answered with "not found".
  parts: { params: closed({ uniqueId: Type.String({ minLength: 1, maxLength: 100 }) }), result: Document },
});

export const documentFile = get('/api/documents/token/:token', {
  access: tokenAccess,
  summary: 'The document that a token stands for',
  transport: 'file',
  parts: { params: closed({ token: Token }) },
});
