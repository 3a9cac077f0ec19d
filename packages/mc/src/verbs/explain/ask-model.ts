import { formatGroupVersion, isJsonObject } from '@flotilla/machinery';
import { Absent } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';
import { getDocument } from './ask-schema.ts';
import { explainModel, NoSuchField } from './explain-model.ts';
import type { FoundType } from './find-type.ts';
import { definitionOf } from './model.ts';

/** Has a cluster explain a type by its OpenAPI v2 document, which is one for all types. */
export async function askModel(
  member: Member,
  found: FoundType,
  isRecursive: boolean,
): Promise<string> {
  const { group, version, kind, fields } = found;
  const document = await getDocument(member, '/openapi/v2');
  const definitions = document['definitions'];
  const definition = isJsonObject(definitions) ? definitionOf(definitions, found) : undefined;
  if (!isJsonObject(definitions) || definition === undefined) {
    const name = `${group}/${version}, Kind=${kind}`;
    throw new Absent(`couldn't find resource for "${name}"`, 'NoSuchVersion');
  }
  const apiVersion = formatGroupVersion({ group, version });
  try {
    return explainModel(definition, definitions, { kind, apiVersion, fields, isRecursive });
  } catch (error) {
    throw error instanceof NoSuchField ? new Absent(error.message, 'NoSuchField') : error;
  }
}
