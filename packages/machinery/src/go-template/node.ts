import type { GoNumber } from '../go/values.ts';

/** Where a node stands, for errors. */
interface Placed {
  readonly at: number;
}

/** What can stand as the argument of a command. */
export type Operand =
  | (Placed & { readonly kind: 'dot' })
  | (Placed & { readonly kind: 'nil' })
  | (Placed & { readonly kind: 'bool'; readonly value: boolean })
  | (Placed & { readonly kind: 'number'; readonly text: string; readonly value: GoNumber | bigint })
  | (Placed & { readonly kind: 'string'; readonly quoted: string; readonly value: string })
  | (Placed & { readonly kind: 'field'; readonly names: readonly string[] })
  /** The first name is the variable's own, with its dollar. */
  | (Placed & { readonly kind: 'variable'; readonly names: readonly string[] })
  | (Placed & { readonly kind: 'function'; readonly name: string })
  | (Placed & {
      readonly kind: 'chain';
      readonly of: Operand;
      readonly names: readonly string[];
    })
  | Pipeline;

/** A function with its arguments, or a value by itself. */
export interface Command extends Placed {
  readonly kind: 'command';
  readonly args: readonly Operand[];
}

/** `$a, $b := command | command`. */
export interface Pipeline extends Placed {
  readonly kind: 'pipeline';
  readonly variables: readonly string[];
  readonly isAssignment: boolean;
  readonly commands: readonly Command[];
}

/** `if`, `with` or `range` with what depends on it. */
export interface Branch extends Placed {
  readonly kind: 'if' | 'with' | 'range';
  readonly pipeline: Pipeline;
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[] | undefined;
}

/** A part of a template. */
export type TemplateNode =
  | (Placed & { readonly kind: 'text'; readonly text: string })
  | (Placed & { readonly kind: 'action'; readonly pipeline: Pipeline })
  | Branch
  | (Placed & { readonly kind: 'break' })
  | (Placed & { readonly kind: 'continue' })
  | (Placed & {
      readonly kind: 'template';
      readonly name: string;
      readonly pipeline: Pipeline | undefined;
    });

/** A node in the words of a template, for errors. */
export function nodeText(node: Operand | Command | TemplateNode): string {
  switch (node.kind) {
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.text;
    case 'string':
      return node.quoted;
    case 'function':
      return node.name;
    case 'field':
      return `.${node.names.join('.')}`;
    case 'variable':
      return node.names.join('.');
    case 'chain':
      return `${argumentText(node.of)}.${node.names.join('.')}`;
    case 'command':
      return node.args.map(argumentText).join(' ');
    case 'pipeline': {
      const { variables, isAssignment, commands } = node;
      const sign = isAssignment ? ' = ' : ' := ';
      const declared = variables.length === 0 ? '' : variables.join(', ') + sign;
      return declared + commands.map(nodeText).join(' | ');
    }
    case 'text':
      return node.text;
    case 'action':
      return `{{${nodeText(node.pipeline)}}}`;
    case 'break':
    case 'continue':
      return `{{${node.kind}}}`;
    case 'template':
      return `{{template ${JSON.stringify(node.name)}}}`;
    default:
      return `{{${node.kind} ${nodeText(node.pipeline)}}}`;
  }
}

function argumentText(operand: Operand): string {
  return operand.kind === 'pipeline' ? `(${nodeText(operand)})` : nodeText(operand);
}
