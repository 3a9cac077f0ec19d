import { YamlWriter } from './yaml-writer.ts';

/**
 * JSON data as YAML, to the byte as kubectl prints it: keys sorted its way, lists not indented, long lines folded, texts
 * quoted wherever a reader of YAML 1.1 or 1.2 would take them for something else.
 */
export function toYaml(value: unknown): string {
  try {
    const writer = new YamlWriter();
    writer.write(value, -1);
    return writer.finish();
  } catch (error) {
    // The writer recurses; JSON may legally be nested deeper than the stack.
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError('Cannot write YAML: the value is nested too deeply', { cause: error });
  }
}
