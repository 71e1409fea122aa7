/** Checks whether a bucket can be used as a store before a server takes any work. */
import { randomBytes } from 'node:crypto';
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { StartError } from '#server/base/start-error.ts';
import { S3Error, type S3Settings } from './s3-client.ts';

/** Lists, writes and deletes once. Throws a StartError that says which setting to check. */
export async function checkBucket(client: S3Client, settings: S3Settings): Promise<void> {
  const { bucket: Bucket, prefix: Prefix } = settings;
  const probe = { Bucket, Key: `${Prefix}write-test-${randomBytes(8).toString('hex')}` };
  try {
    await client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }));
    await client.send(new PutObjectCommand({ ...probe, Body: new Uint8Array(1), ContentLength: 1 }));
    await client.send(new DeleteObjectCommand(probe));
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    throw new StartError(`the S3 store of RUNSHEET_S3_BUCKET cannot be used: ${reason(error, settings)}`, {
      cause: error,
    });
  }
}

const CREDENTIALS = 'RUNSHEET_S3_ACCESS_KEY_ID and RUNSHEET_S3_SECRET_ACCESS_KEY';

function reason({ code, status, message }: S3Error, { bucket, endpoint, region, pathStyle }: S3Settings): string {
  const at = endpoint === '' ? `AWS in the region ${region}` : endpoint;
  if (code === 'NoSuchBucket') return `there is no bucket ${bucket} at ${at}`;
  if (code === 'CredentialsProviderError') return `there are no keys to sign in with; set ${CREDENTIALS}`;
  if (code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch' || code === 'InvalidSecurity')
    return `${at} does not accept the keys (${code}); see ${CREDENTIALS}`;
  if (code === 'RequestTimeTooSkewed') return `the clocks of this machine and of ${at} differ too much`;
  if (['PermanentRedirect', 'AuthorizationHeaderMalformed', 'InvalidRegionName'].includes(code) || status === 301)
    return `the bucket is in another region than ${region} (${message}); see RUNSHEET_S3_REGION`;
  if (code === 'AccessDenied' || status === 403)
    return `the keys may not list, write and delete in the bucket ${bucket} (${code})`;
  if (status !== undefined) return `${at} answered ${message}`;
  const hint =
    pathStyle || endpoint === '' ? '' : ', or set RUNSHEET_S3_PATH_STYLE=true if it has no names for buckets';
  return `${at} cannot be reached (${message}); see RUNSHEET_S3_ENDPOINT${hint}`;
}
