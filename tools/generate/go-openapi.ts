import { runGo } from '../real-kubernetes/go.ts';

/** OpenAPI documents by name in the protobuf form clients ask for, made by upstream's own library. */
export function openApiProtobuf(documents: Readonly<Record<string, unknown>>): Map<string, Buffer> {
  const printed = runGo(['run', './openapi'], { input: JSON.stringify(documents) });
  const converted: Record<string, string> = JSON.parse(printed);
  return new Map(
    Object.entries(converted).map(([name, text]) => [name, Buffer.from(text, 'base64')]),
  );
}
