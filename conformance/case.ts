/**
 * The verbs a step may name; WATCH opens a GET stream, TOGETHER sends the steps of `during` at once,
 * the others are HTTP methods.
 */
export const VERBS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'BREW',
  'WATCH',
  'TOGETHER',
] as const;

/** One of {@link VERBS}. */
export type Verb = (typeof VERBS)[number];

/** One message of the number-keyed protobuf notation: field number to value. */
export interface ProtobufMessage {
  readonly [field: string]: ProtobufValue;
}

/** Text is length-delimited, a number or boolean is a varint, a list is a repeated field. */
export type ProtobufValue =
  | string
  | number
  | boolean
  | { readonly hex: string }
  | ProtobufMessage
  | readonly ProtobufValue[];

/** A protobuf body: the envelope's kind and the object's fields by number. */
export interface ProtobufBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly fields: ProtobufMessage;
}

/** Pieces a hostile body is put together from. */
export type BytePart =
  | string
  | { readonly repeat: string; readonly times: number }
  | { readonly hex: string };

/** What a polled step waits for: a status code, or values at paths of the body. */
export type Eventually = number | { readonly [path: string]: unknown };

/** One request, what to send and what of the answer to look at. See README.md for each field. */
export interface Step {
  readonly verb: Verb;
  readonly path: string;
  readonly body?: unknown;
  readonly text?: string;
  readonly bytes?: readonly BytePart[];
  readonly protobuf?: ProtobufBody;
  readonly type?: string;
  readonly accept?: string;
  readonly auth?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly is?: number;
  readonly eventually?: Eventually;
  readonly save?: Readonly<Record<string, string>>;
  readonly look?: 'code' | 'head' | 'all';
  readonly pick?: readonly string[];
  readonly drop?: readonly string[];
  readonly unordered?: boolean;
  readonly until?: number | 'bookmark' | 'end';
  readonly during?: readonly Step[];
}

/** A sentence about behaviour and the requests that show it. */
export interface Case {
  readonly id: string;
  readonly topic: string;
  readonly title: string;
  readonly steps: readonly Step[];
}
