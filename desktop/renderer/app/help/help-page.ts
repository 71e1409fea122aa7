/** A page of the documentation as the build hands it to the help of the pages. */

/** Text, or text that is strong, stressed, code, or a link: to a page of the documentation ('running.md#retries') or elsewhere. */
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
  /** As links name it: 'what-runs-when'. */
  id: string;
  title: string;
  blocks: Block[];
}

export interface HelpPage {
  title: string;
  /** The first is what stands before the first heading, where something does. */
  sections: HelpSection[];
}
