import type { JsonSchemaProps, ValidationRule } from '@flotilla/machinery/schema';
import type { Fields, ObjectInput, ObjectOutput, Schema } from './schema.ts';

/** What a schema without a default is, before `optional` or `defaulted` says otherwise. */
type Required<Out, In = Out> = Schema<Out, In, 'required'>;

interface Ruled {
  readonly rules?: readonly ValidationRule[];
}

/** Bounds of a text. */
export interface TextBounds extends Ruled {
  readonly minLength?: number;
  /** Rules in CEL need one: the server estimates their cost by it. */
  readonly maxLength?: number;
  readonly format?: 'date-time' | 'byte';
  /** Only where a kind is another project's, whose refusals must be the same; elsewhere a rule says more. */
  readonly pattern?: string;
}

/** A text. Bounds that users meet are rules, whose messages say what is wrong; patterns only show themselves. */
export function text(description: string, bounds: TextBounds = {}): Required<string> {
  return required('string', description, bounds);
}

/** One of a closed set of texts. */
export function oneOf<const V extends string>(
  description: string,
  values: readonly V[],
  { rules = [] }: Ruled = {},
): Required<V> {
  return { ...required<V>('string', description, { enum: [...values], rules }) };
}

/** True or false. */
export function flag(description: string): Required<boolean> {
  return required('boolean', description, {});
}

/** A whole number. */
export function integer(
  description: string,
  bounds: { readonly minimum?: number; readonly maximum?: number; readonly wide?: boolean } = {},
): Required<number> {
  const { wide = false, ...limits } = bounds;
  return required('integer', description, { format: wide ? 'int64' : 'int32', ...limits });
}

/** A point in time, RFC 3339. */
export function time(description: string): Required<string> {
  return required('string', description, { format: 'date-time' });
}

/** An object with named fields. */
export function object<F extends Fields>(
  description: string,
  fields: F,
  { rules = [] }: Ruled = {},
): Required<ObjectOutput<F>, ObjectInput<F>> {
  const names = Object.keys(fields).filter((name) => fields[name]?.presence === 'required');
  return required('object', description, {
    ...(names.length === 0 ? {} : { required: names }),
    rules,
    ...(Object.keys(fields).length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(fields).map(([name, { props }]) => [name, props]),
          ),
        }),
  });
}

/** Values by keys of the user's choice. */
export function mapOf<Out, In>(
  description: string,
  value: Schema<Out, In>,
  { rules = [], maxProperties }: Ruled & { readonly maxProperties?: number } = {},
): Required<Record<string, Out>, Record<string, In>> {
  return required('object', description, {
    ...(maxProperties === undefined ? {} : { maxProperties }),
    rules,
    additionalProperties: value.props,
  });
}

/** Items told apart by one of their fields, so that several writers can own one each. */
export function listByKey<Out, In>(
  description: string,
  key: string & keyof Out,
  item: Schema<Out, In>,
): Required<Out[], In[]> {
  return required('array', description, {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [key],
    items: item.props,
  });
}

/** Items of which none is told from another: who writes one writes all. */
export function listOf<Out, In>(description: string, item: Schema<Out, In>): Required<Out[], In[]> {
  return required('array', description, { items: item.props });
}

/** An object of which nothing is known, kept as it is. */
export function anyObject(description: string): Required<Record<string, unknown>> {
  return required('object', description, { 'x-kubernetes-preserve-unknown-fields': true });
}

/** A field that may be left out. */
export function optional<Out, In>(schema: Schema<Out, In>): Schema<Out, In, 'optional'> {
  return { props: schema.props, presence: 'optional' };
}

/** A field that the server fills in when it is left out. */
export function defaulted<Out, In>(
  schema: Schema<Out, In>,
  value: In,
): Schema<Out, In, 'defaulted'> {
  const { description, type, ...rest } = schema.props;
  return {
    props: { ...told(description), ...told(type, 'type'), default: value, ...rest },
    presence: 'defaulted',
  };
}

/** A rule in CEL and what users read when it does not hold. */
export function rule(
  expression: string,
  message: string,
  extra: Pick<ValidationRule, 'fieldPath' | 'reason'> = {},
): ValidationRule {
  return { rule: expression, message, ...extra };
}

function told(value: string | undefined, name: 'description' | 'type' = 'description') {
  return value === undefined ? {} : { [name]: value };
}

function required<Out, In = Out>(
  type: string,
  description: string,
  { rules = [], ...props }: JsonSchemaProps & Ruled,
): Required<Out, In> {
  return {
    props: {
      description,
      type,
      ...props,
      ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
    },
    presence: 'required',
  };
}
