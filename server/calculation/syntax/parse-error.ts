/** A formula that is not one. `position` counts characters from 0 in the text without its '='. */
export class ParseError extends Error {
  readonly position: number;
  constructor(message: string, position: number) {
    super(message);
    this.name = 'ParseError';
    this.position = position;
  }
}
