/**
 * Reads server-sent events through fetch, because EventSource cannot send an authorization header. Source: HTML
 * standard, 9.2.6.
 */
import { t } from '#renderer/language/translate.ts';

export interface ServerEvent {
  /** 'message' if the server sends no type. */
  type: string;
  data: string;
}

/**
 * Returns a function that takes the stream's text in arbitrary chunks and returns the events completed by each chunk.
 */
export function createEventParser(): (text: string) => ServerEvent[] {
  let rest = '';
  let type = '';
  let data: string[] = [];

  function takeLine(line: string): ServerEvent | null {
    if (line === '') {
      const event = data.length > 0 ? { type: type || 'message', data: data.join('\n') } : null;
      type = '';
      data = [];
      return event;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') type = value;
    else if (field === 'data') data.push(value);
    // Ignores comments, which are heartbeats, and unsupported fields.
    return null;
  }

  return (text) => {
    // A CR at the end may be the first half of a line break.
    const [, completeLines = '', incomplete = ''] = /^(.*(?:\r\n|\n|\r(?=.)))?(.*)$/s.exec(rest + text) ?? [];
    rest = incomplete;
    const lines = completeLines === '' ? [] : completeLines.split(/\r\n|\n|\r/).slice(0, -1);
    return lines.map(takeLine).filter((event) => event !== null);
  };
}

/**
 * Passes on the events of a response until it ends or is aborted. Rejects if no data arrives for `silence`
 * milliseconds.
 * @param onSign called with every chunk, including chunks without a complete event
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  options: { silence: number; onEvent: (event: ServerEvent) => void; onSign: () => void },
): Promise<void> {
  const parse = createEventParser();
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read(), options.silence);
      if (done) return;
      options.onSign();
      for (const event of parse(value)) options.onEvent(event);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function withinSilence<T>(read: Promise<T>, silence: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(t('Live updates have stopped arriving'))), silence);
  try {
    return await Promise.race([read, promise]);
  } finally {
    clearTimeout(timer);
  }
}
