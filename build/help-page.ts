/**
 * Parses a documentation page. Supports only the Markdown that the documentation uses. Images and comments are skipped.
 */
import type { Block, HelpPage, HelpSection, Inline } from '#renderer/app/help/help-page.ts';

/** Creates heading anchors as GitHub does, because the links in the documentation use those. */
const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

export function readHelpPage(markdown: string): HelpPage {
  const lines = markdown.replaceAll(/<!--[\s\S]*?-->/g, '').split('\n');
  const title = /^# (.*)/.exec(lines[0] ?? '')?.[1] ?? '';
  const sections: HelpSection[] = [{ id: idOf(title), title, blocks: [] }];
  const reader = { lines, at: title === '' ? 0 : 1 };
  while (reader.at < lines.length) {
    const line = lines[reader.at]!;
    const heading = /^## (.*)/.exec(line)?.[1];
    if (heading !== undefined) {
      sections.push({ id: idOf(heading), title: plainText(inlines(heading)), blocks: [] });
      reader.at += 1;
    } else if (line.trim() === '' || line.startsWith('![')) reader.at += 1;
    else sections.at(-1)!.blocks.push(readBlock(reader));
  }
  return { title, sections: sections.filter(({ blocks }) => blocks.length > 0) };
}

interface Reader {
  lines: readonly string[];
  at: number;
}

const ITEM = /^ *(?:[-*]|(\d+)\.) +(.*)/;

function readBlock(reader: Reader): Block {
  // Indented content of a list item becomes a separate block after the list.
  const line = reader.lines[reader.at]!.trimStart();
  if (line.startsWith('```')) return readCode(reader);
  if (line.startsWith('|')) return readTable(reader);
  if (ITEM.test(line)) return readList(reader);
  const heading = /^###+ (.*)/.exec(line)?.[1];
  if (heading !== undefined) {
    reader.at += 1;
    return { kind: 'heading', parts: inlines(heading) };
  }
  return { kind: 'paragraph', parts: inlines(readWhile(reader, (next) => !beginsBlock(next)).join(' ')) };
}

const beginsBlock = (line: string): boolean => line.trim() === '' || /^ *(```|\||#|!\[)/.test(line) || ITEM.test(line);

/** Reads the current line, and the following lines as long as `belongs` accepts them. */
function readWhile(reader: Reader, belongs: (line: string) => boolean): string[] {
  const start = reader.at;
  do reader.at += 1;
  while (reader.at < reader.lines.length && belongs(reader.lines[reader.at]!));
  return reader.lines.slice(start, reader.at).map((line) => line.trim());
}

function readCode(reader: Reader): Block {
  const indent = reader.lines[reader.at]!.search(/\S/);
  const unindented = (line: string): string => line.slice(Math.min(indent, Math.max(0, line.search(/\S/))));
  const lines = reader.lines.slice(reader.at + 1);
  const end = lines.findIndex((line) => line.trimStart().startsWith('```'));
  const count = end === -1 ? lines.length : end;
  reader.at += count + 2;
  return { kind: 'code', text: lines.slice(0, count).map(unindented).join('\n') };
}

function readTable(reader: Reader): Block {
  const rows = readWhile(reader, (line) => line.trimStart().startsWith('|')).map(cells);
  return { kind: 'table', head: rows[0]!, rows: rows.slice(2) };
}

const cells = (row: string): Inline[][] =>
  row
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => inlines(cell.trim().replaceAll('\\|', '|')));

/** Nested items become items of the same list, after their parent. */
function readList(reader: Reader): Block {
  const isOrdered = ITEM.exec(reader.lines[reader.at]!)?.[1] !== undefined;
  const items: Inline[][] = [];
  while (reader.at < reader.lines.length && ITEM.test(reader.lines[reader.at]!)) {
    const first = ITEM.exec(reader.lines[reader.at]!)![2]!;
    const [, ...more] = readWhile(reader, (line) => !beginsBlock(line));
    items.push(inlines([first, ...more].join(' ')));
    // A blank line between two items does not end the list.
    if (reader.lines[reader.at] === '' && ITEM.test(reader.lines[reader.at + 1] ?? '')) reader.at += 1;
  }
  return { kind: 'list', isOrdered, items };
}

/** Code, strong text, link, emphasis, escaped character. Everything else stays unchanged. */
const INLINE =
  /(`+)(.+?)\1|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)\s]+)\)|(?<![\w*])(?:_([^_]+)_|\*([^*]+)\*)(?![\w*])|\\([\\`*_{}[\]()#+.!|<>-])/;

function inlines(text: string): Inline[] {
  const found = INLINE.exec(text);
  if (!found) return text === '' ? [] : [text];
  const [all, , code, strong, label, to, underscored, starred, escaped] = found;
  const stressed = underscored ?? starred;
  const before = text.slice(0, found.index);
  const after = inlines(text.slice(found.index + all.length));
  const part = (): Inline => {
    if (code !== undefined) return { kind: 'code', text: code.trim() };
    if (strong !== undefined) return { kind: 'strong', parts: inlines(strong) };
    if (stressed !== undefined) return { kind: 'emphasis', parts: inlines(stressed) };
    return label === undefined ? (escaped ?? '') : { kind: 'link', parts: inlines(label), to: to! };
  };
  return before === '' ? [part(), ...after] : [before, part(), ...after];
}

const plainText = (parts: readonly Inline[]): string =>
  parts
    .map((part) => (typeof part === 'string' ? part : part.kind === 'code' ? part.text : plainText(part.parts)))
    .join('');
