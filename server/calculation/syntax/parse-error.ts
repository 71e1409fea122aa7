/** A text that is not a valid formula. `position` is 0-based in the text without its '='. */
export class ParseError extends Error {
  readonly position: number;
  constructor(message: string, position: number) {
    super(message);
    this.name = 'ParseError';
    this.position = position;
  }
}
