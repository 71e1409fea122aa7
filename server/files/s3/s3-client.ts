/** The connection to an S3-compatible store, with errors that say no secrets. */
import { S3Client } from '@aws-sdk/client-s3';

export interface S3Settings {
  /** Empty: that of AWS for the region. */
  endpoint: string;
  region: string;
  bucket: string;
  /** What the keys of all files begin with; empty, or ending with a slash. */
  prefix: string;
  /** The bucket in the path instead of in the name of the host. */
  pathStyle: boolean;
  /** Null: wherever the SDK finds some, as in AWS_ variables, its own files, or the machine's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

/** What a store, or the way to it, answered instead of success. `code` is S3's ('NoSuchKey') or the network's ('ECONNREFUSED'). */
export class S3Error extends Error {
  readonly code: string;
  /** Of the HTTP answer; undefined where there was none. */
  readonly status: number | undefined;

  constructor(code: string, status: number | undefined, message: string) {
    super(message);
    this.name = 'S3Error';
    this.code = code;
    this.status = status;
  }
}

const CONNECT_MS = 5_000;
/** Until the answer begins, the sending of a part included. */
const ANSWER_MS = 120_000;
/** A download holds a connection for as long as its receiver takes. */
const MOST_CONNECTIONS = 500;
const ATTEMPTS = 4;

/** Its calls throw S3Error, or AbortError where their signal was aborted. */
export function createS3Client({ endpoint, region, pathStyle, credentials }: S3Settings): S3Client {
  const agent = { keepAlive: true, maxSockets: MOST_CONNECTIONS };
  const client = new S3Client({
    region,
    ...(endpoint === '' ? {} : { endpoint }),
    ...(credentials ? { credentials } : {}),
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    // The newer checksums are unknown to many compatible stores; Content-MD5, which we send, is known to all.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        throw s3Error(error);
      }
    },
    { step: 'initialize', priority: 'high', name: 'convertErrors' },
  );
  return client;
}

interface SdkError {
  name?: string;
  code?: string;
  Code?: string;
  message?: string;
  $metadata?: { httpStatusCode?: number };
}

/**
 * An error of the SDK as one of ours. It is not kept as cause: what the store sent with it may name keys and signatures, which
 * would get into the log.
 */
function s3Error(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'AbortError') return error;
  const { name, code, Code, message, $metadata } = error as SdkError;
  const said = [Code, code, name].find((one) => one !== undefined && one !== 'Error' && one !== 'Unknown') ?? 'Unknown';
  const status = $metadata?.httpStatusCode;
  const text = !message || message === 'UnknownError' ? `the store answered ${status ?? 'nothing'}` : message;
  return new S3Error(said, status, `${said}: ${text}`);
}

/** Whether the store said that there is no such object. HEAD has no body to say it in. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3Error && (error.code === 'NoSuchKey' || error.code === 'NotFound');
