import type { ReactNode } from 'react';
import type { Block, Inline } from './help-page.ts';
import { topicOfLink, type HelpTopic } from './help-topics.ts';

interface HelpBlocksProps {
  blocks: readonly Block[];
  /** The documentation page to which its links are relative. */
  page: string;
  onTopic: (topic: HelpTopic) => void;
}

/** Renders a part of the documentation. */
export function HelpBlocks({ blocks, page, onTopic }: HelpBlocksProps) {
  const draw = (parts: readonly Inline[]): ReactNode =>
    // The index is a stable key because texts are never reordered.
    // oxlint-disable-next-line react/no-array-index-key
    parts.map((part, index) => <InlineText key={index} part={part} page={page} onTopic={onTopic} />);
  // oxlint-disable-next-line react/no-array-index-key
  return blocks.map((block, index) => <BlockText key={index} block={block} draw={draw} />);
}

function BlockText({ block, draw }: { block: Block; draw: (parts: readonly Inline[]) => ReactNode }) {
  switch (block.kind) {
    case 'heading':
      return <h4>{draw(block.parts)}</h4>;
    case 'paragraph':
      return <p>{draw(block.parts)}</p>;
    case 'code':
      return <pre>{block.text}</pre>;
    case 'list': {
      const items = block.items.map((item, index) => <li key={index}>{draw(item)}</li>);
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        <div className="rs-help-table">
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} scope="col">
                    {draw(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, at) => (
                    <td key={at}>{draw(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function InlineText({ part, page, onTopic }: { part: Inline; page: string; onTopic: (topic: HelpTopic) => void }) {
  if (typeof part === 'string') return part;
  if (part.kind === 'code') return <code>{part.text}</code>;
  const parts = part.parts.map((inner, index) => <InlineText key={index} part={inner} page={page} onTopic={onTopic} />);
  if (part.kind === 'strong') return <strong>{parts}</strong>;
  if (part.kind !== 'link') return <em>{parts}</em>;
  const topic = topicOfLink(part.to, page);
  if (topic) {
    return (
      <button type="button" className="rs-text-button" onClick={() => onTopic(topic)}>
        {parts}
      </button>
    );
  }
  // Documentation for operators of the server is not part of the help.
  if (!/^https?:/.test(part.to)) return parts;
  return (
    <a href={part.to} target="_blank" rel="noreferrer">
      {parts}
    </a>
  );
}
