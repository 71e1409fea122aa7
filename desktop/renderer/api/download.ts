import { downloadFile } from '#shared/contract/files.ts';
import { bridge } from './bridge.ts';
import { addressOf } from './client.ts';

/** Lets the browser fetch the file a token stands for. The prefix '<PARTIAL>' is taken off; true where it was there. */
export function downloadByToken(token: string): boolean {
  const isPartial = token.startsWith('<PARTIAL>');
  const bare = isPartial ? token.slice('<PARTIAL>'.length) : token;
  bridge.download(addressOf(downloadFile, { params: { token: bare } }).slice(bridge.basePath.length));
  return isPartial;
}
