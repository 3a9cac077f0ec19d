import { yamlEvents } from './yaml-events.ts';
import { buildNodes, type YamlNode } from './yaml-node.ts';

/** Where keys and items of a YAML text are: for messages, so nothing else has to keep positions. */
export type YamlLines = (path: readonly (string | number)[]) => number;

/**
 * Tells the line, from 1, at which a key or an item of the first document begins; of a path that does not exist, where
 * the part of it that exists does. The text must be one that `parseYaml` reads.
 */
export function yamlLines(source: string): YamlLines {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const { events, source: parsed } = yamlEvents(text);
  const [document] = buildNodes(events, parsed);
  return (path) => {
    let node = document;
    let offset = document?.offset ?? 0;
    for (const step of path) {
      const found = node === undefined ? undefined : stepInto(node, step);
      if (found === undefined) break;
      ({ offset, value: node } = found);
    }
    return lineAt(parsed, offset);
  };
}

function stepInto(
  node: YamlNode,
  step: string | number,
): { offset: number; value: YamlNode | undefined } | undefined {
  if (node.kind === 'alias') return stepInto(node.target, step);
  if (node.kind === 'sequence') {
    const item = typeof step === 'number' ? node.items[step] : undefined;
    return item === undefined ? undefined : { offset: item.offset, value: item };
  }
  if (node.kind !== 'mapping') return undefined;
  // The last of two equal keys counts.
  for (let index = node.items.length - 2; index >= 0; index -= 2) {
    const key = node.items[index];
    if (key?.kind === 'scalar' && key.text === String(step)) {
      return { offset: key.offset, value: node.items[index + 1] };
    }
  }
  return undefined;
}

/** The line, from 1, that holds the character at `offset`. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}
