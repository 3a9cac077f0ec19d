import type { JsonSchemaProps } from '@flotilla/machinery/schema';

/** Whether a field is there: always, when someone wrote it, or since the server fills it in. */
export type Presence = 'required' | 'optional' | 'defaulted';

/**
 * A part of a kind's schema that carries its TypeScript type: `Out` is what the server stores, `In` what may be
 * written, where fields with a default may be left out.
 */
export interface Schema<Out = unknown, In = Out, P extends Presence = Presence> {
  /** The part as the CRD has it. */
  readonly props: JsonSchemaProps;
  readonly presence: P;
  /** Never there; carry the types. */
  readonly out?: Out;
  readonly in?: In;
}

/** The fields of an object. */
export type Fields = Readonly<Record<string, Schema>>;

/** The type of what the server stores, with every default filled in. */
export type OutputOf<S> = S extends { readonly out?: infer Out } ? Exclude<Out, undefined> : never;

/** The type of what may be written. */
export type InputOf<S> = S extends { readonly in?: infer In } ? Exclude<In, undefined> : never;

type KeysWith<F extends Fields, P extends Presence> = {
  [K in keyof F]: F[K]['presence'] extends P ? K : never;
}[keyof F];

type Flat<T> = { [K in keyof T]: T[K] };

/** The stored type of an object with these fields. */
export type ObjectOutput<F extends Fields> = Flat<
  { [K in KeysWith<F, 'required' | 'defaulted'>]: OutputOf<F[K]> } & {
    [K in KeysWith<F, 'optional'>]?: OutputOf<F[K]>;
  }
>;

/** The written type of an object with these fields. */
export type ObjectInput<F extends Fields> = Flat<
  { [K in KeysWith<F, 'required'>]: InputOf<F[K]> } & {
    [K in KeysWith<F, 'optional' | 'defaulted'>]?: InputOf<F[K]>;
  }
>;
