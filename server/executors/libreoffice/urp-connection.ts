/**
 * A connection to LibreOffice over UNO's remote protocol. Calls are sent in order, and their answers arrive in the same
 * order.
 */
import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import type { AnyValue, RemoteObject } from './urp-buffer.ts';
import { TypeClass, UrpFormatError, UrpMemory, UrpReader, UrpWriter } from './urp-buffer.ts';

/** Bits of a message's first byte. */
const Header = {
  Long: 0x80,
  Request: 0x40,
  NewType: 0x20,
  NewObject: 0x10,
  NewThread: 0x08,
  Function16: 0x04,
  More: 0x01,
};
const EXCEPTION = 0x20;
const MUST_REPLY = 0x80;

const PROTOCOL_OBJECT = 'UrpProtocolProperties';
const PROTOCOL_TYPE = 'com.sun.star.bridge.XProtocolProperties';
const REQUEST_CHANGE = 4;
const COMMIT_CHANGE = 5;
/** Methods that every interface begins with. */
const QUERY_INTERFACE = 0;
const RELEASE = 2;

const THREAD = 'runsheet';
const HEAD_BYTES = 8;
/** No valid answer is this long. A greater length means that the two sides are out of sync. */
const MAX_ANSWER_BYTES = 2 ** 30;

/** The exception that LibreOffice returned instead of a result. */
export class UnoException extends Error {
  override name = 'UnoException';
  readonly type: string;
  constructor(type: string, message: string) {
    super(message === '' ? type : message);
    this.type = type;
  }
}

/**
 * A method of an interface. Its number counts inherited members and attributes too; settable attributes count twice.
 */
export interface Method {
  type: string;
  number: number;
}

interface Expected {
  read: (reader: UrpReader) => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export class UrpConnection {
  private readonly socket: Socket;
  private readonly memory = new UrpMemory();
  private readonly expected: Expected[] = [];
  private chunks: Buffer[] = [];
  private received = 0;
  /** True once each request must carry a context. We send a null context. */
  private hasContext = false;
  private ended: Error | null = null;
  private readonly isReady = Promise.withResolvers<void>();

  constructor(socket: Socket) {
    this.socket = socket;
    this.isReady.promise.catch(() => undefined);
    socket.on('data', (chunk) => this.receive(chunk as Buffer));
    socket.on('error', (error) => this.end(error));
    socket.on('close', () => this.end(new Error('The connection to LibreOffice has ended')));
  }

  /** Resolves once both sides have agreed on the protocol. */
  get ready(): Promise<void> {
    return this.isReady.promise;
  }

  /** Calls a method of an object. Rejects with UnoException, or if the connection ends. */
  call<T>(object: string, method: Method, write: (to: UrpWriter) => unknown, read: (from: UrpReader) => T): Promise<T> {
    if (this.ended) return Promise.reject(this.ended);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.request(object, method, write);
    this.expected.push({ read, resolve: resolve as (value: unknown) => void, reject });
    return promise;
  }

  /** Returns the object as another of its interfaces. Rejects if the object does not have that interface. */
  async query(object: string, type: string): Promise<string> {
    const method = { type: 'com.sun.star.uno.XInterface', number: QUERY_INTERFACE };
    const answer = await this.call(
      object,
      method,
      (to) => to.type({ class: TypeClass.Interface, name: type }),
      (from) => from.any(),
    );
    return objectOf(answer).object;
  }

  /** Releases a reference. */
  release({ object, type }: RemoteObject): void {
    if (object !== '' && !this.ended) this.request(object, { type, number: RELEASE }, () => undefined);
  }

  close(): void {
    this.socket.destroy();
  }

  private request(object: string, { type, number }: Method, write: (to: UrpWriter) => unknown): void {
    const to = new UrpWriter();
    to.byte(Header.Long | Header.Request | Header.NewType | Header.NewObject | Header.NewThread);
    to.byte(number);
    to.type({ class: TypeClass.Interface, name: type }).object(object).thread(THREAD);
    if (this.hasContext && number !== RELEASE) to.object('');
    write(to);
    this.send(to.bytes());
  }

  private send(message: Buffer): void {
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    head.writeUInt32BE(message.length, 0);
    head.writeUInt32BE(1, 4);
    this.socket.cork();
    this.socket.write(head);
    this.socket.write(message);
    process.nextTick(() => this.socket.uncork());
  }

  private receive(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.received += chunk.length;
    try {
      for (let block = this.nextBlock(); block; block = this.nextBlock()) {
        const reader = new UrpReader(block.bytes, this.memory);
        for (let left = block.messages; left > 0; left -= 1) this.message(reader);
      }
    } catch (error) {
      this.end(error instanceof Error ? error : new Error(String(error)));
      this.socket.destroy();
    }
  }

  private nextBlock(): { bytes: Buffer; messages: number } | null {
    if (this.received < HEAD_BYTES) return null;
    if (this.chunks[0]!.length < HEAD_BYTES) this.chunks = [Buffer.concat(this.chunks)];
    const size = this.chunks[0]!.readUInt32BE(0);
    const messages = this.chunks[0]!.readUInt32BE(4);
    if (size > MAX_ANSWER_BYTES) throw new UrpFormatError('An answer of LibreOffice is too long');
    if (this.received < HEAD_BYTES + size) return null;
    const all = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    const rest = all.subarray(HEAD_BYTES + size);
    this.chunks = rest.length > 0 ? [rest] : [];
    this.received = rest.length;
    return { bytes: all.subarray(HEAD_BYTES, HEAD_BYTES + size), messages };
  }

  private message(from: UrpReader): void {
    const first = from.byte();
    if ((first & Header.Long) !== 0 && (first & Header.Request) === 0) this.reply(from, first);
    else this.serve(from, first);
  }

  private reply(from: UrpReader, first: number): void {
    if ((first & Header.NewThread) !== 0) this.memory.lastThread = from.thread();
    const expected = this.expected.shift();
    if (!expected) throw new UrpFormatError('LibreOffice answered what was not asked');
    if ((first & EXCEPTION) === 0) {
      expected.resolve(expected.read(from));
      return;
    }
    const thrown = from.any();
    const { exception, message } = isException(thrown) ? thrown : { exception: 'unknown exception', message: '' };
    expected.reject(new UnoException(exception, message));
  }

  /** Serves a request of LibreOffice. It only negotiates the protocol, because it holds none of our objects. */
  private serve(from: UrpReader, first: number): void {
    const { memory } = this;
    let number = first & 0x3f;
    if ((first & Header.Long) === 0) {
      if ((first & 0x40) !== 0) number = (number << 8) | from.byte();
    } else {
      const isForced = (first & Header.More) !== 0 && (from.byte() & MUST_REPLY) !== 0;
      if (isForced) throw new UrpFormatError('LibreOffice asks for an answer that it does not need');
      number = (first & Header.Function16) !== 0 ? from.short() : from.byte();
      if ((first & Header.NewType) !== 0) memory.lastType = from.type();
      if ((first & Header.NewObject) !== 0) memory.lastObject = from.object();
      if ((first & Header.NewThread) !== 0) memory.lastThread = from.thread();
    }
    if (memory.lastType.name !== PROTOCOL_TYPE || memory.lastObject !== PROTOCOL_OBJECT)
      throw new UrpFormatError(`LibreOffice calls ${memory.lastType.name}, which we do not have`);
    this.agree(from, number);
  }

  /** Negotiates the protocol: lets LibreOffice decide, and accepts its proposal that each request carries a context. */
  private agree(from: UrpReader, number: number): void {
    const to = new UrpWriter();
    to.byte(Header.Long | Header.NewThread).thread(this.memory.lastThread);
    if (number === REQUEST_CHANGE) {
      from.long();
      this.send(to.long(1).bytes());
    } else if (number === COMMIT_CHANGE) {
      // The list of properties contains only CurrentContext.
      for (let left = from.count(); left > 0; left -= 1) {
        from.string();
        from.any();
      }
      this.send(to.bytes());
      this.hasContext = true;
      this.isReady.resolve();
    } else throw new UrpFormatError(`LibreOffice asks for change ${number}, which there is not`);
  }

  private end(error: Error): void {
    if (this.ended) return;
    this.ended = error;
    this.isReady.reject(error);
    for (const { reject } of this.expected.splice(0)) reject(error);
  }
}

export function objectOf(value: AnyValue): RemoteObject {
  if (value !== null && typeof value === 'object' && 'object' in value && value.object !== '') return value;
  throw new UrpFormatError('LibreOffice does not have what was asked for');
}

function isException(value: AnyValue): value is { exception: string; message: string } {
  return value !== null && typeof value === 'object' && 'exception' in value;
}
