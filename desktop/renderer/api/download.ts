import type { documentFile } from '#shared/contract/documents.ts';
import { downloadFile } from '#shared/contract/files.ts';
import { bridge } from './bridge.ts';
import { pathOf } from '#shared/client/request.ts';

/** A call that returns a file for a token in its path. */
export type TokenEndpoint = typeof downloadFile | typeof documentFile;

/** Lets the browser download the file of a token. Removes the prefix '<PARTIAL>' and returns true if it was present. */
export function downloadByToken(token: string, file: TokenEndpoint = downloadFile): boolean {
  bridge.download(pathOfToken(token, file));
  return token.startsWith(PARTIAL);
}

const PARTIAL = '<PARTIAL>';

export const pathOfToken = (token: string, file: TokenEndpoint): string =>
  pathOf(file, { params: { token: token.startsWith(PARTIAL) ? token.slice(PARTIAL.length) : token } });
