/** Tests the help pages that are generated from the documentation. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readHelpPage } from './help-page.ts';
import type { Block, Inline } from '#renderer/app/help/help-page.ts';
import { ALL_TOPICS, HELP_PAGES, topicOf, topicOfLink } from '#renderer/app/help/help-topics.ts';
import { PAGES } from '#renderer/app/pages.ts';

const docOf = (page: string) =>
  readHelpPage(readFileSync(fileURLToPath(new URL(`../docs/${page}.md`, import.meta.url)), 'utf8'));

test('headings, paragraphs, lists, tables, code and links are read', () => {
  const { title, sections } = readHelpPage(
    [
      '# Runs',
      'First _line_',
      'and **second `x|y`** line, see [retries](running.md#retries).',
      '',
      '## What `is` kept',
      '- one',
      '  and more',
      '- two',
      '',
      '| a | b |',
      '| - | - |',
      '| 1 | `x \\| y` |',
      '```',
      '# not a heading',
      '```',
      '### Deeper',
    ].join('\n'),
  );
  expect(title).toBe('Runs');
  expect(sections.map(({ id, title: of }) => [id, of])).toEqual([
    ['runs', 'Runs'],
    ['what-is-kept', 'What is kept'],
  ]);
  expect(sections[0]!.blocks).toEqual([
    {
      kind: 'paragraph',
      parts: [
        'First ',
        { kind: 'emphasis', parts: ['line'] },
        ' and ',
        { kind: 'strong', parts: ['second ', { kind: 'code', text: 'x|y' }] },
        ' line, see ',
        { kind: 'link', parts: ['retries'], to: 'running.md#retries' },
        '.',
      ],
    },
  ]);
  expect(sections[1]!.blocks).toEqual([
    { kind: 'list', isOrdered: false, items: [['one and more'], ['two']] },
    { kind: 'table', head: [['a'], ['b']], rows: [[['1'], [{ kind: 'code', text: 'x | y' }]]] },
    { kind: 'code', text: '# not a heading' },
    { kind: 'heading', parts: ['Deeper'] },
  ]);
});

const text = (parts: readonly Inline[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.kind === 'code' ? '' : text(part.parts))).join('');

function texts(block: Block): string[] {
  if (block.kind === 'code') return [];
  if (block.kind === 'list') return block.items.map(text);
  if (block.kind === 'table') return [block.head, ...block.rows].flatMap((row) => row.map(text));
  return [text(block.parts)];
}

describe.each(Object.keys(HELP_PAGES))('the help of %s', (page) => {
  const { sections } = docOf(page);

  test('leaves no mark of Markdown in its text', () => {
    for (const line of sections.flatMap(({ blocks }) => blocks.flatMap(texts))) {
      expect(line).not.toMatch(/\*\*|`|\]\(|^#+ |^\||(^|\s)_\w/);
    }
  });

  test('has its links within the help lead to sections that there are', () => {
    const links = JSON.stringify(sections).matchAll(/"to":"([^"]+)"/g);
    for (const [, to = ''] of links) {
      const topic = topicOfLink(to, page);
      if (!topic || topic.section === '') continue;
      expect(sectionsAndHeadings(topic.page), to).toContain(topic.section);
    }
  });
});

const HEADINGS = /^#{1,4} (.*)$/gm;

function sectionsAndHeadings(page: string): string[] {
  const doc = readFileSync(fileURLToPath(new URL(`../docs/${page}.md`, import.meta.url)), 'utf8');
  return [...doc.matchAll(HEADINGS)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every page of the portal has a topic that the documentation has', () => {
  for (const { page, section } of ALL_TOPICS) {
    expect(
      docOf(page).sections.map(({ id }) => id),
      page,
    ).toContain(section);
  }
  for (const { path } of PAGES) expect(Object.keys(HELP_PAGES)).toContain(topicOf(path).page);
  expect(topicOf('/activities/purgeRunData')).toEqual({ page: 'running', section: 'purge-runs-by-hand' });
  expect(topicOf('/activities/runstatus/5/')).toEqual({ page: 'running-activities', section: 'looking-back' });
});
