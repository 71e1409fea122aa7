import type { documentFile } from '#shared/contract/documents.ts';
import { downloadFile } from '#shared/contract/files.ts';
import { bridge } from './bridge.ts';
import { pathOf } from '#shared/client/request.ts';

/** A call that gives a file for a token in its path. */
export type TokenEndpoint = typeof downloadFile | typeof documentFile;

/** Lets the browser fetch the file a token stands for. The prefix '<PARTIAL>' is taken off; true where it was there. */
export function downloadByToken(token: string, file: TokenEndpoint = downloadFile): boolean {
  bridge.download(pathOfToken(token, file));
  return token.startsWith(PARTIAL);
}

const PARTIAL = '<PARTIAL>';

export const pathOfToken = (token: string, file: TokenEndpoint): string =>
  pathOf(file, { params: { token: token.startsWith(PARTIAL) ? token.slice(PARTIAL.length) : token } });
