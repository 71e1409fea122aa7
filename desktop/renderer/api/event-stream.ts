/** Reads server-sent events from a fetch: EventSource cannot send the header that says who asks. Source: HTML standard, 9.2.6. */
import { t } from '#renderer/language/translate.ts';

export interface ServerEvent {
  /** 'message' where the server does not say. */
  type: string;
  data: string;
}

/** Takes the stream's text piece by piece, wherever it is cut, and answers the events that each piece completes. */
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
    // Comments, which keep the stream alive, and fields that are no concern of ours are passed over.
    return null;
  }

  return (text) => {
    // A CR at the end may be half of a line break.
    const [, whole = '', left = ''] = /^(.*(?:\r\n|\n|\r(?=.)))?(.*)$/s.exec(rest + text) ?? [];
    rest = left;
    const lines = whole === '' ? [] : whole.split(/\r\n|\n|\r/).slice(0, -1);
    return lines.map(takeLine).filter((event) => event !== null);
  };
}

/**
 * Hands on the events of an answer until it ends or is aborted. Rejects where nothing at all comes for `silence` milliseconds.
 * @param onSign called with every piece that arrives, also where it holds no event
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
  const timer = setTimeout(() => reject(new Error(t('The stream has fallen silent'))), silence);
  try {
    return await Promise.race([read, promise]);
  } finally {
    clearTimeout(timer);
  }
}
