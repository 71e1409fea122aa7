/**
 * Parses an XML text to the tree that XPath walks: elements, attributes and texts. Comments, instructions and texts of
 * only spaces are omitted.
 */
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { encodeUtf8 } from '#server/calculation/reader/xml-text.ts';

export interface XmlNode {
  readonly kind: 'root' | 'element' | 'attribute' | 'text';
  /** With its prefix; '' for texts and the root. */
  readonly name: string;
  /** Set for attributes and texts; the content of an element is in its children. */
  readonly value: string;
  readonly parent: XmlNode | null;
  readonly children: XmlNode[];
  readonly attributes: XmlNode[];
  /** Position in document order. */
  readonly order: number;
}

/** Returns the root of a document; null if the text is not XML. */
export function parseXml(text: string): XmlNode | null {
  try {
    return read(new XmlScanner(encodeUtf8(text), 'XML'));
  } catch (error) {
    if (error instanceof WorkbookFileError) return null;
    throw error;
  }
}

function read(xml: XmlScanner): XmlNode | null {
  let order = 0;
  const node = (kind: XmlNode['kind'], name: string, value: string, parent: XmlNode | null): XmlNode => ({
    kind,
    name,
    value,
    parent,
    children: [],
    attributes: [],
    order: order++,
  });
  const root = node('root', '', '', null);
  let open = root;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Open) {
      const element = node('element', xml.qualifiedName, '', open);
      open.children.push(element);
      for (let index = 0; index < xml.attributeCount; index += 1) {
        element.attributes.push(node('attribute', xml.attributeName(index), xml.attributeValue(index), element));
      }
      open = element;
    } else if (token === XmlToken.Close) open = open.parent!;
    else {
      const value = xml.text();
      if (value.trim() !== '') open.children.push(node('text', '', value, open));
    }
  }
  return root.children.length > 0 ? root : null;
}

/** Returns the text of a node and all its descendants. */
export function stringValue(node: XmlNode): string {
  if (node.kind === 'attribute' || node.kind === 'text') return node.value;
  let text = '';
  const open = node.children.toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.kind === 'text') text += next.value;
    else for (let index = next.children.length - 1; index >= 0; index -= 1) open.push(next.children[index]!);
  }
  return text;
}
