import { getOwn, isJsonObject, type Json } from '@flotilla/machinery';
import { type Model, modelOf } from './model.ts';
import { wrapParagraphs } from './wrap-paragraphs.ts';

/** What is to be explained, of which kind. */
export interface ModelTopic {
  readonly kind: string;
  readonly apiVersion: string;
  readonly fields: readonly string[];
  readonly isRecursive: boolean;
}

/** A field that there is not. */
export class NoSuchField extends Error {}

const WIDTH = 80;
const FIELD_INDENT = 3;
const TEXT_INDENT = 5;
/** No schema is nested as deep, and no explanation is as long; those of hostile servers are. */
const MAX_DEPTH = 100;
const MAX_CHARACTERS = 32 << 20;

/** What `kubectl explain -o plaintext-openapiv2` prints of a definition or of a field below it. */
export function explainModel(definition: Json, definitions: Json, topic: ModelTopic): string {
  const { kind, apiVersion, fields, isRecursive } = topic;
  const descriptions: string[] = [];
  const name = fields.at(-1) ?? '';
  const text: string[] = [];
  let length = 0;
  const write = (line: string, indent = 0): void => {
    length += line.length + indent + 1;
    if (length > MAX_CHARACTERS) throw new Error('Cannot explain it: its schema is too large');
    text.push(line === '' ? '\n' : `${' '.repeat(indent)}${line}\n`);
  };
  const wrapped = (description: string, indent: number): void => {
    for (const line of wrapParagraphs(description, WIDTH - indent)) write(line, indent);
  };

  let type = '';
  let found = modelOf(find(definition, fields, 0), definitions);
  for (let depth = 0; isPassage(found); depth += 1) {
    if (depth > MAX_DEPTH) throw tooDeep();
    descriptions.push(descriptionOf(found.schema));
    if (found.is !== 'reference' && type === '') type = typeOf(found, 0);
    found = modelOf(found.is === 'reference' ? found.to : found.element, definitions);
  }
  if (type === '') type = typeOf(found, 0);
  write(`KIND:     ${kind}`);
  write(`VERSION:  ${apiVersion}\n`);
  if (found.is === 'primitive') write(`FIELD:    ${name} <${type}>\n`);
  if (found.is === 'fields' && name !== '') write(`RESOURCE: ${name} <${type}>\n`);
  describe([...descriptions, descriptionOf(found.schema)]);
  if (found.is === 'fields') {
    write('\nFIELDS:');
    if (isRecursive) listAll(found, { indent: FIELD_INDENT, seen: new Set(), depth: 0 });
    else listFields(found);
  }
  return text.join('');

  /** The schema at a path; what has no fields ends the search, whatever is left of the path. */
  function find(schema: Json, path: readonly string[], depth: number): Json {
    const [first, ...rest] = path;
    if (first === undefined) return schema;
    if (depth > MAX_DEPTH) throw tooDeep();
    const model = modelOf(schema, definitions);
    if (model.is === 'reference') return find(model.to, path, depth + 1);
    if (model.is === 'list' || model.is === 'map') return find(model.element, path, depth + 1);
    if (model.is !== 'fields') return schema;
    const field = getOwn(model.fields, first);
    if (!isJsonObject(field))
      throw new NoSuchField(`field ${JSON.stringify(first)} does not exist`);
    return find(field, rest, depth + 1);
  }

  function typeOf(model: Model, depth: number): string {
    if (depth > MAX_DEPTH) throw tooDeep();
    const within = (schema: Json) => typeOf(modelOf(schema, definitions), depth + 1);
    if (model.is === 'list') return `[]${within(model.element)}`;
    if (model.is === 'map') return `map[string]${within(model.element)}`;
    if (model.is === 'reference') return within(model.to);
    if (model.is === 'fields') return 'Object';
    return model.is === 'primitive' ? model.type : '';
  }

  function describe(all: readonly string[]): void {
    write('DESCRIPTION:');
    for (const [index, description] of all.entries()) {
      if (description === '') continue;
      if (index > 0) write('');
      wrapped(description, TEXT_INDENT);
    }
    if (all.every((each) => each === '')) write('<empty>', TEXT_INDENT);
  }

  function listFields({ schema, fields: listed }: Model & { is: 'fields' }): void {
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    for (const [key, field] of inOrder(listed)) {
      const mark = required.includes(key) ? ' -required-' : '';
      write(`${key}\t<${typeOf(modelOf(field, definitions), 0)}>${mark}`, FIELD_INDENT);
      wrapped(descriptionOf(field), FIELD_INDENT + 2);
      write('');
    }
  }

  function listAll(model: Model, place: Place): void {
    const { indent, seen, depth } = place;
    if (depth > MAX_DEPTH) throw tooDeep();
    const next = { ...place, depth: depth + 1 };
    if (model.is === 'list' || model.is === 'map') {
      listAll(modelOf(model.element, definitions), next);
    } else if (model.is === 'reference' && !seen.has(model.name)) {
      const more = { ...next, seen: new Set([...seen, model.name]) };
      listAll(modelOf(model.to, definitions), more);
    } else if (model.is === 'fields') {
      for (const [key, field] of inOrder(model.fields)) {
        const below = modelOf(field, definitions);
        write(`${key}\t<${typeOf(below, 0)}>`, indent);
        listAll(below, { ...next, indent: indent + FIELD_INDENT });
      }
    }
  }
}

/** Where in a list of fields something stands, and the references it is in. */
interface Place {
  readonly indent: number;
  readonly seen: ReadonlySet<string>;
  readonly depth: number;
}

type Passage = Extract<Model, { is: 'list' | 'map' | 'reference' }>;

function isPassage(model: Model): model is Passage {
  return model.is === 'list' || model.is === 'map' || model.is === 'reference';
}

function inOrder(fields: Json): [name: string, schema: Json][] {
  return Object.keys(fields)
    .sort()
    .map((name) => {
      const field = getOwn(fields, name);
      return [name, isJsonObject(field) ? field : {}];
    });
}

function descriptionOf({ description }: Json): string {
  return typeof description === 'string' ? description : '';
}

function tooDeep(): Error {
  return new Error('Cannot explain it: its schema is nested too deep');
}
