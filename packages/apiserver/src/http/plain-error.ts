/** A refusal that upstream answers in plain text rather than as a Status. */
export class PlainError extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(text);
    this.name = 'PlainError';
    this.status = status;
  }
}

/** What a mux without a route for the path answers. */
export const pageNotFound = (): PlainError => new PlainError(404, '404 page not found\n');
