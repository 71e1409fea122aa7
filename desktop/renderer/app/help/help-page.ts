/** Format in which the build provides a page of the documentation to the help. */

/**
 * Text, or strong, emphasized, code or linked text. A link leads to a page of the documentation ('running.md#retries')
 * or elsewhere.
 */
export type Inline =
  | string
  | { kind: 'strong'; parts: Inline[] }
  | { kind: 'emphasis'; parts: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; parts: Inline[]; to: string };

export type Block =
  | { kind: 'paragraph'; parts: Inline[] }
  | { kind: 'heading'; parts: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string };

export interface HelpSection {
  /** Anchor used in links: 'what-runs-when'. */
  id: string;
  title: string;
  blocks: Block[];
}

export interface HelpPage {
  title: string;
  /** The first section contains the text before the first heading, if there is any. */
  sections: HelpSection[];
}
