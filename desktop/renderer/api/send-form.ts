/** Sends forms with files, through the browser's own request or, in a desktop window, through its bridge. */
import { SERVER_TIME_HEADER } from '#shared/contract/headers.ts';
import type { UploadDoor } from '#bridge/uploads.ts';
import { AppFailure } from './app-failure.ts';
import { bridge } from './bridge.ts';

export interface UploadProgress {
  sent: number;
  total: number;
}

export interface SendOptions {
  onProgress?: (progress: UploadProgress) => void;
  signal?: AbortSignal;
}

export interface FormReply {
  status: number;
  /** Empty if it is unknown. */
  statusText: string;
  text: string;
  headers: Headers;
}

/**
 * Posts a form. Rejects with an AppFailure if no response arrived, and with an AbortError if the signal aborted it.
 * @param address address of the call, including the page key
 */
export function sendForm(
  address: string,
  form: FormData,
  token: string | null,
  options: SendOptions,
): Promise<FormReply> {
  const { uploads } = bridge;
  return uploads ? sendByBridge(uploads, address, form, token, options) : sendByPage(address, form, token, options);
}

const wasCancelled = (): DOMException => new DOMException('The upload was cancelled', 'AbortError');

function wasInterrupted(): AppFailure {
  bridge.connection.noticed(false);
  return new AppFailure('Network error: The upload was interrupted');
}

/** Uses XMLHttpRequest because fetch cannot report upload progress. */
function sendByPage(
  address: string,
  form: FormData,
  token: string | null,
  { onProgress, signal }: SendOptions,
): Promise<FormReply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('cache-control', 'no-cache');
    request.upload.addEventListener('progress', (event) => {
      onProgress?.({ sent: event.loaded, total: event.total });
    });
    request.addEventListener('load', () => {
      const headers = new Headers();
      const serverTime = request.getResponseHeader(SERVER_TIME_HEADER);
      if (serverTime !== null) headers.set(SERVER_TIME_HEADER, serverTime);
      resolve({ status: request.status, statusText: request.statusText, text: request.responseText, headers });
    });
    request.addEventListener('error', () => reject(wasInterrupted()));
    request.addEventListener('abort', () => reject(wasCancelled()));
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

async function sendByBridge(
  uploads: UploadDoor,
  address: string,
  form: FormData,
  token: string | null,
  { onProgress, signal }: SendOptions,
): Promise<FormReply> {
  const { Body, ContentType } = await encode(form);
  if (signal?.aborted) throw wasCancelled();
  const Id = crypto.randomUUID();
  const onAbort = (): void => uploads.cancel(Id);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const Authorization = token === null ? '' : `Bearer ${token}`;
    const answer = await uploads.send({ Id, Path: address, Authorization, ContentType, Body }, ({ Sent, Total }) =>
      onProgress?.({ sent: Sent, total: Total }),
    );
    if (signal?.aborted) throw wasCancelled();
    if (answer === null) throw wasInterrupted();
    return { status: answer.Status, statusText: '', text: answer.Text, headers: new Headers(answer.Headers) };
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

async function encode(form: FormData): Promise<{ Body: Uint8Array; ContentType: string }> {
  const encoded = new Response(form);
  const ContentType = encoded.headers.get('content-type') ?? '';
  try {
    return { Body: new Uint8Array(await encoded.arrayBuffer()), ContentType };
  } catch (cause) {
    throw new AppFailure('A file was moved or changed after you chose it. Choose it again.', { cause });
  }
}
