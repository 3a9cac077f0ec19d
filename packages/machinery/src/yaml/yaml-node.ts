import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE } from 'js-yaml';
import { ParseError } from '../parse-error.ts';

/** A scalar with its tag, '' when it has none. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly text: string;
  readonly isPlain: boolean;
  readonly tag: string;
  readonly offset: number;
}

/** A list. */
export interface SequenceNode {
  readonly kind: 'sequence';
  readonly items: YamlNode[];
  readonly offset: number;
}

/** A mapping, its keys and values by turns. */
export interface MappingNode {
  readonly kind: 'mapping';
  readonly items: YamlNode[];
  readonly offset: number;
}

/** A reference to a node that was given a name. */
export interface AliasNode {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: YamlNode;
  readonly offset: number;
}

/** One node of a parsed document, not yet turned into data. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

/** Builds the tree of every document from the parser's flat list of events; undefined for an empty document. */
export function buildNodes(events: readonly Event[], source: string): (YamlNode | undefined)[] {
  const documents: (YamlNode | undefined)[] = [];
  const open: (SequenceNode | MappingNode | undefined)[] = [];
  let anchors = new Map<string, YamlNode>();
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) {
      anchors = new Map();
      documents.push(undefined);
      open.push(undefined);
    } else if (event.type === EVENT_ID.POP) {
      open.pop();
    } else {
      const node = buildNode(event, source, anchors);
      const parent = open.at(-1);
      if (parent === undefined) documents[documents.length - 1] = node;
      else parent.items.push(node);
      if (event.anchorStart >= 0 && event.type !== EVENT_ID.ALIAS) {
        anchors.set(source.slice(event.anchorStart, event.anchorEnd), node);
      }
      if (node.kind === 'sequence' || node.kind === 'mapping') open.push(node);
    }
  }
  return documents;
}

type ContentEvent = Exclude<
  Event,
  { type: typeof EVENT_ID.DOCUMENT } | { type: typeof EVENT_ID.POP }
>;

function buildNode(
  event: ContentEvent,
  source: string,
  anchors: ReadonlyMap<string, YamlNode>,
): YamlNode {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return {
        kind: 'scalar',
        text: getScalarValue(source, event),
        isPlain: event.style === SCALAR_STYLE.PLAIN,
        tag: shortTag(source.slice(Math.max(event.tagStart, 0), Math.max(event.tagEnd, 0))),
        offset: event.valueStart,
      };
    case EVENT_ID.SEQUENCE:
      return { kind: 'sequence', items: [], offset: startOf(event) };
    case EVENT_ID.MAPPING:
      return { kind: 'mapping', items: [], offset: startOf(event) };
    case EVENT_ID.ALIAS: {
      const name = source.slice(event.anchorStart, event.anchorEnd);
      const target = anchors.get(name);
      if (target === undefined) throw new ParseError(`yaml: unknown anchor '${name}' referenced`);
      return { kind: 'alias', name, target, offset: event.anchorStart };
    }
  }
}

/** A name or tag before a collection belongs to it. */
function startOf(event: { start: number; anchorStart: number; tagStart: number }): number {
  const before = [event.anchorStart, event.tagStart].filter((offset) => offset >= 0);
  return Math.min(event.start, ...before);
}

function shortTag(tag: string): string {
  return tag.replace(/^!<tag:yaml\.org,2002:(.*)>$/, '!!$1');
}
