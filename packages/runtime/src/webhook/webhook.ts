/** What is served at one path. */
export interface Webhook {
  readonly path: string;
  /** The whole review to send back; a BadReview is the caller's fault, any other error ours. */
  readonly answer: (body: unknown, signal: AbortSignal) => Promise<object>;
}
