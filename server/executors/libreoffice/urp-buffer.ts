/**
 * Reads and writes values of UNO's binary remote protocol. Numbers are big-endian. Lengths up to 254 take one byte.
 * Either side may cache names of types and objects in 256 slots. Source: 'UNO Remote Protocol' of the UNO
 * documentation.
 */
import { Buffer } from 'node:buffer';

/** com.sun.star.uno.TypeClass. */
export const TypeClass = {
  Void: 0,
  Char: 1,
  Boolean: 2,
  Byte: 3,
  Short: 4,
  UnsignedShort: 5,
  Long: 6,
  UnsignedLong: 7,
  Hyper: 8,
  UnsignedHyper: 9,
  Float: 10,
  Double: 11,
  String: 12,
  Type: 13,
  Any: 14,
  Enum: 15,
  Struct: 17,
  Exception: 19,
  Sequence: 20,
  Interface: 22,
} as const;

export interface UnoType {
  class: number;
  /** Set only for type classes above Any. */
  name: string;
}

/** Written instead of a cache index: the name is not cached. */
const NOT_CACHED = 0xffff;
const NEW = 0x80;

export class UrpWriter {
  private buffer = Buffer.allocUnsafe(256);
  private length = 0;

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private reserve(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.length, this.buffer.length * 2));
      this.buffer.copy(grown, 0, 0, at);
      this.buffer = grown;
    }
    return at;
  }

  byte(value: number): this {
    const at = this.reserve(1);
    this.buffer[at] = value;
    return this;
  }

  boolean(value: boolean): this {
    return this.byte(value ? 1 : 0);
  }

  short(value: number): this {
    const at = this.reserve(2);
    this.buffer.writeUInt16BE(value, at);
    return this;
  }

  long(value: number): this {
    const at = this.reserve(4);
    this.buffer.writeInt32BE(value | 0, at);
    return this;
  }

  double(value: number): this {
    const at = this.reserve(8);
    this.buffer.writeDoubleBE(value, at);
    return this;
  }

  count(value: number): this {
    return value < 0xff ? this.byte(value) : this.byte(0xff).long(value);
  }

  /** Replaces lone surrogates, which the protocol cannot carry. */
  string(value: string): this {
    const text = value.toWellFormed();
    const size = Buffer.byteLength(text);
    this.count(size);
    const at = this.reserve(size);
    this.buffer.write(text, at, 'utf8');
    return this;
  }

  type(type: UnoType): this {
    if (type.class <= TypeClass.Any) return this.byte(type.class);
    return this.byte(type.class | NEW)
      .short(NOT_CACHED)
      .string(type.name);
  }

  /** Writes an object by its name; '' stands for no object. */
  object(oid: string): this {
    return (oid === '' ? this.byte(0) : this.string(oid)).short(NOT_CACHED);
  }

  thread(name: string): this {
    return this.string(name).short(NOT_CACHED);
  }
}

/** Names that the connection has cached by index, and the last type, object and thread, which messages may omit. */
export class UrpMemory {
  readonly types: (UnoType | undefined)[] = [];
  readonly objects: (string | undefined)[] = [];
  readonly threads: (string | undefined)[] = [];
  lastType: UnoType = { class: TypeClass.Interface, name: 'com.sun.star.uno.XInterface' };
  lastObject = '';
  lastThread = '';
}

export class UrpFormatError extends Error {
  override name = 'UrpFormatError';
}

export interface RemoteObject {
  object: string;
  type: string;
}

/** The values an 'any' can hold here: null, a number, a text, a boolean, an object, a list or an exception. */
export type AnyValue =
  | null
  | number
  | string
  | boolean
  | RemoteObject
  | AnyValue[]
  | { exception: string; message: string };

export class UrpReader {
  private readonly buffer: Buffer;
  private readonly memory: UrpMemory;
  private at = 0;

  constructor(buffer: Buffer, memory: UrpMemory) {
    this.buffer = buffer;
    this.memory = memory;
  }

  byte(): number {
    return this.buffer.readUInt8(this.at++);
  }

  boolean(): boolean {
    return this.byte() !== 0;
  }

  short(): number {
    this.at += 2;
    return this.buffer.readUInt16BE(this.at - 2);
  }

  long(): number {
    this.at += 4;
    return this.buffer.readInt32BE(this.at - 4);
  }

  double(): number {
    this.at += 8;
    return this.buffer.readDoubleBE(this.at - 8);
  }

  count(): number {
    const short = this.byte();
    return short < 0xff ? short : this.long() >>> 0;
  }

  string(): string {
    const size = this.count();
    if (this.at + size > this.buffer.length) throw new UrpFormatError('A text is longer than its message');
    this.at += size;
    return this.buffer.toString('utf8', this.at - size, this.at);
  }

  type(): UnoType {
    const first = this.byte();
    const typeClass = first & ~NEW;
    if (typeClass <= TypeClass.Any) return { class: typeClass, name: '' };
    const index = this.short();
    if ((first & NEW) === 0) return known(this.memory.types, index);
    const type = { class: typeClass, name: this.string() };
    if (index !== NOT_CACHED) this.memory.types[index] = type;
    return type;
  }

  object(): string {
    return this.cachedName(this.memory.objects, true);
  }

  thread(): string {
    return this.cachedName(this.memory.threads, false);
  }

  /**
   * Reads a name, or the cache index of an earlier name. If `mayBeNone`, an object with neither is null and reads as
   * ''.
   */
  private cachedName(names: (string | undefined)[], mayBeNone: boolean): string {
    const name = this.string();
    const index = this.short();
    if (name === '') return index === NOT_CACHED && mayBeNone ? '' : known(names, index);
    if (index !== NOT_CACHED) names[index] = name;
    return name;
  }

  any(): AnyValue {
    return this.value(this.type());
  }

  /** Throws UrpFormatError for types that no call used here returns. */
  value(type: UnoType): AnyValue {
    switch (type.class) {
      case TypeClass.Void:
        return null;
      case TypeClass.Boolean:
        return this.boolean();
      case TypeClass.Byte:
        return this.byte();
      case TypeClass.Short:
        return (this.short() << 16) >> 16;
      case TypeClass.UnsignedShort:
      case TypeClass.Char:
        return this.short();
      case TypeClass.Long:
      case TypeClass.UnsignedLong:
      case TypeClass.Enum:
        return this.long();
      case TypeClass.Double:
        return this.double();
      case TypeClass.String:
        return this.string();
      case TypeClass.Any:
        return this.any();
      case TypeClass.Interface:
        return { object: this.object(), type: type.name };
      case TypeClass.Sequence:
        return this.sequence(type.name);
      case TypeClass.Exception:
        // Every exception begins with its type and message. The rest stays unread, because the exception is the last
        // part of a reply.
        return { exception: type.name, message: this.string() };
      default:
        throw new UrpFormatError(`A value of the type ${type.name || type.class} cannot be read`);
    }
  }

  private sequence(name: string): AnyValue[] {
    const item = SEQUENCES.get(name);
    if (!item) throw new UrpFormatError(`A value of the type ${name} cannot be read`);
    return Array.from({ length: this.count() }, () => this.value(item));
  }
}

const SEQUENCES = new Map<string, UnoType>([
  ['[]any', { class: TypeClass.Any, name: '' }],
  ['[]string', { class: TypeClass.String, name: '' }],
  ['[]long', { class: TypeClass.Long, name: '' }],
  ['[]double', { class: TypeClass.Double, name: '' }],
  ['[][]any', { class: TypeClass.Sequence, name: '[]any' }],
]);

function known<T>(cache: (T | undefined)[], index: number): T {
  const value = cache[index];
  if (value === undefined) throw new UrpFormatError(`Nothing was kept under ${index}`);
  return value;
}
