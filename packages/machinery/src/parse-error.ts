/** A text someone sent cannot be read. The message is what upstream's parser says, fit for a 400. */
export class ParseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ParseError';
  }
}
