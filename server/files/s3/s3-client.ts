/** The connection to an S3-compatible store. Its errors contain no secrets. */
import { S3Client } from '@aws-sdk/client-s3';

export interface S3Settings {
  /** Empty for the AWS endpoint of the region. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Prefix of the keys of all files; empty, or ending with a slash. */
  prefix: string;
  /** True if the bucket is in the path instead of the host name. */
  pathStyle: boolean;
  /** Null to use what the SDK finds, such as AWS_ variables, its own files, or the machine's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

/**
 * An error response of the store, or an error of the network. `code` is S3's ('NoSuchKey') or the network's
 * ('ECONNREFUSED').
 */
export class S3Error extends Error {
  readonly code: string;
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;

  constructor(code: string, status: number | undefined, message: string) {
    super(message);
    this.name = 'S3Error';
    this.code = code;
    this.status = status;
  }
}

const CONNECT_MS = 5_000;
/** Limits the time until the response begins, including sending a part. */
const ANSWER_MS = 120_000;
/** A download occupies a connection for as long as its receiver takes. */
const MAX_CONNECTIONS = 500;
const ATTEMPTS = 4;

/** Calls of this client throw S3Error, or AbortError if their signal was aborted. */
export function createS3Client({ endpoint, region, pathStyle, credentials }: S3Settings): S3Client {
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const client = new S3Client({
    region,
    ...(endpoint === '' ? {} : { endpoint }),
    ...(credentials ? { credentials } : {}),
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    // Many compatible stores do not support the newer checksums; all support Content-MD5, which we send.
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
 * Converts an error of the SDK to an S3Error. The original is not attached as the cause: the store's response in it may
 * contain keys and signatures, which would be logged.
 */
function s3Error(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'AbortError') return error;
  const { name, code, Code, message, $metadata } = error as SdkError;
  const said = [Code, code, name].find((one) => one !== undefined && one !== 'Error' && one !== 'Unknown') ?? 'Unknown';
  const status = $metadata?.httpStatusCode;
  const text = !message || message === 'UnknownError' ? `the store answered ${status ?? 'nothing'}` : message;
  return new S3Error(said, status, `${said}: ${text}`);
}

/** Returns true if the store says that there is no such object. A HEAD response has no body to say it. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3Error && (error.code === 'NoSuchKey' || error.code === 'NotFound');
