/** An S3 server in this process, with one bucket; signatures are checked. */
import type * as Crypto from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import type { S3Settings } from '#server/files/s3/s3-client.ts';
import type { Peer } from './peer.ts';

const KEY = 'S3RVER';
const require = createRequire(import.meta.url);

interface Signatures {
  getStringToSign: (request: { uri: string }, signature: unknown) => string;
}

/**
 * For calls on the bucket itself, the peer checks signatures of a path without the trailing slash, although the slash
 * was sent and signed.
 */
function keepSlashes(): void {
  const signatures = require('@20minutes/s3rver/lib/signature/v4.js') as Signatures;
  const { getStringToSign } = signatures;
  signatures.getStringToSign = (request, signature) =>
    getStringToSign(/^\/[^/]+$/.test(request.uri) ? { ...request, uri: `${request.uri}/` } : request, signature);
}

/**
 * The peer creates page tokens with DES, which OpenSSL 3 no longer has. Triple DES with the same key three times is
 * equivalent.
 */
function keepDes(): void {
  const crypto = require('node:crypto') as typeof Crypto;
  const { createCipheriv } = crypto;
  const withDes = (name: string, key: Buffer, iv: Buffer): Crypto.Cipheriv =>
    name === 'des' ? createCipheriv('des-ede3-cbc', Buffer.concat([key, key, key]), iv) : createCipheriv(name, key, iv);
  crypto.createCipheriv = withDes as typeof createCipheriv;
}

keepSlashes();
keepDes();

export interface S3Peer extends Peer {
  /** Settings with which a store reaches its bucket. */
  settings: S3Settings;
}

export async function startS3Peer(): Promise<S3Peer> {
  const directory = await mkdtemp(join(tmpdir(), 'runsheet-s3-'));
  const bucket = 'runsheet';
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = (await server.run()) as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    settings: {
      endpoint: url,
      region: 'us-east-1',
      bucket,
      prefix: 'test/files/',
      pathStyle: true,
      credentials: { accessKeyId: KEY, secretAccessKey: KEY },
    },
    stop: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
