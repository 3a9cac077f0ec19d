import { goSprint, isJsonObject, type Json } from '@flotilla/machinery';
import { Absent, PartialAnswer } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';
import { askSchema, schemaIndex, schemaPath } from './ask-schema.ts';
import { explainType } from './explain-type.ts';
import { type FoundType, findType, type TypeRequest } from './find-type.ts';
import type { SchemaDocument } from './schema-document.ts';

/** The form of an explanation; the second is that of kubectl before 1.27. */
export type ExplainFormat = 'plaintext' | 'plaintext-openapiv2';

/** What all clusters are asked, and what is known already. */
export interface ExplainQuestion {
  readonly request: TypeRequest;
  readonly isRecursive: boolean;
  readonly format: ExplainFormat;
  /** Documents that do not have the field; servers of one version have the same ones. */
  readonly useless: Map<string, Error>;
}

/** Has a cluster explain a type. What it does not have is thrown as Absent, with what kubectl would print before it. */
export async function askExplanation(member: Member, question: ExplainQuestion): Promise<string> {
  const { request, isRecursive, format, useless } = question;
  const found = findType(await member.discovery.surface(member.signal), request);
  const index = format === 'plaintext' ? await schemaIndex(member) : undefined;
  if (index === undefined) {
    const { askModel } = await import('./ask-model.ts');
    return await askModel(member, found, isRecursive);
  }
  const path = schemaPath(index, found);
  const { group, version, plural, fields } = found;
  const name = `${group}/${version}, Resource=${plural}`;
  if (path === undefined) throw new Absent(`couldn't find resource for "${name}"`, 'NoSuchVersion');
  const known = path.includes('hash=') ? useless.get(path) : undefined;
  if (known !== undefined) throw known;
  const document = await askSchema(member, path);
  const kind = kindOf(document, found);
  if (kind === undefined) {
    throw new Absent(`GVR (${name}) not found in OpenAPI schema`, 'NoSuchVersion');
  }
  const head = header(kind);
  const text = explainType(document, { kind, fields, isRecursive });
  if (text !== undefined) return `${head}${text}\n`;
  const field = fields.at(-1);
  const problem =
    field === undefined
      ? `GVK ${goSprint(kind)} not found in OpenAPI schema`
      : `field "${field}" does not exist`;
  const error = new PartialAnswer(head, new Absent(problem, 'NoSuchField'));
  useless.set(path, error);
  throw error;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The kind that the paths of a resource are about. */
function kindOf(document: SchemaDocument, { group, version, plural }: FoundType): Json | undefined {
  const root = `${group === '' ? '/api' : `/apis/${group}`}/${version}`;
  let kind: Json | undefined;
  for (const place of [root, `${root}/namespaces/{namespace}`]) {
    for (const path of [`${place}/${plural}`, `${place}/${plural}/{name}`]) {
      const operations = document.path(path) ?? {};
      for (const method of METHODS) {
        const operation = operations[method];
        const found = isJsonObject(operation)
          ? operation['x-kubernetes-group-version-kind']
          : undefined;
        if (!isJsonObject(found)) continue;
        kind = found;
        break;
      }
    }
  }
  return kind;
}

function header({ group, kind, version }: Json): string {
  const first = typeof group === 'string' && group !== '' ? `GROUP:      ${group}\n` : '';
  return `${first}KIND:       ${goSprint(kind)}\nVERSION:    ${goSprint(version)}\n\n`;
}
