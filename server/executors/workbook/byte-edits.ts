/** Replaces byte ranges of a part and copies all bytes between them unchanged. */
import type { XmlScanner } from '#server/calculation/reader/xml-scanner.ts';
import { encodeUtf8 } from '#server/calculation/reader/xml-text.ts';

export interface ByteEdit {
  /** Replaces the bytes [start, end) with `text`. */
  start: number;
  end: number;
  text: string;
}

/** Applies `edits` to the bytes. The edits must be in ascending order and must not overlap. */
export function applyEdits(bytes: Uint8Array, edits: readonly ByteEdit[]): Uint8Array {
  const texts = edits.map(({ text }) => encodeUtf8(text));
  const added = texts.reduce((sum, text) => sum + text.length, 0);
  const removed = edits.reduce((sum, { start, end }) => sum + end - start, 0);
  const result = new Uint8Array(bytes.length + added - removed);
  let from = 0;
  let to = 0;
  for (const [index, { start, end }] of edits.entries()) {
    if (start < from) throw new Error(`Byte edits overlap at ${start}`);
    result.set(bytes.subarray(from, start), to);
    to += start - from;
    result.set(texts[index]!, to);
    to += texts[index]!.length;
    from = end;
  }
  result.set(bytes.subarray(from), to);
  return result;
}

/**
 * Call at an Open token. Returns the edit that sets an attribute without a prefix: it replaces the old value if the
 * element already has the attribute, because XML forbids a second one. `value` must need no escapes.
 */
export function attributeEdit(xml: XmlScanner, name: string, value: string): ByteEdit {
  const index = xml.attributeIndex(name);
  if (index >= 0) return { start: xml.valueStarts[index]!, end: xml.valueEnds[index]!, text: value };
  const behindName = xml.start + 1 + xml.qualifiedName.length;
  return { start: behindName, end: behindName, text: ` ${name}="${value}"` };
}
