/** The fields with which every manifest begins. */
import { Type } from 'typebox';

export const MANIFEST_API_VERSION = 'runsheet/v1';

/** Maximum number of characters in a file. */
export const MANIFEST_MAX = 5_000_000;

export const headOf = <K extends string>(kind: K) => ({
  apiVersion: Type.Literal(MANIFEST_API_VERSION),
  kind: Type.Literal(kind),
});
