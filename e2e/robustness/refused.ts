import assert from 'node:assert/strict';
import { type Answer, type Client, objectOf, type Sent, type StatusBody } from './client.ts';

/** A request and the answer it must get. */
export interface Expectation {
  readonly title: string;
  readonly request: string;
  readonly sent?: Sent;
  readonly status: number;
  /** Part of the message. */
  readonly says?: RegExp;
}

/** Sends each and compares; a refusal is a Status whose code is that of the answer. */
export async function expectAll(
  client: Client,
  expectations: readonly Expectation[],
): Promise<void> {
  for (const { title, request, sent, status, says } of expectations) {
    const answer = await client.send(request, sent);
    const text = answer.body.toString();
    assert.equal(answer.status, status, `${title}: ${text.slice(0, 300)}`);
    if (status >= 400) isStatus(answer, title);
    if (says !== undefined) assert.match(text, says, title);
  }
}

/** A refusal says so in the form clients understand. */
export function isStatus(answer: Answer, title: string): StatusBody {
  // Outside the API upstream has a plain text.
  if (answer.headers['content-type']?.startsWith('text/plain')) {
    assert.equal(answer.body.toString(), '404 page not found\n', title);
    return { kind: 'Status', status: 'Failure', reason: 'NotFound', message: '', code: 404 };
  }
  const status = objectOf<StatusBody>(answer);
  assert.equal(status.kind, 'Status', title);
  assert.equal(status.status, 'Failure', title);
  assert.equal(status.code, answer.status, title);
  return status;
}
