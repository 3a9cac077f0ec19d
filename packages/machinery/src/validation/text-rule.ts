import { byteLength } from '../go/byte-length.ts';
import { maxLengthMessage, patternMessage } from './messages.ts';

/** A rule for a whole text: what it may look like and how upstream explains it. */
export interface TextRule {
  readonly pattern: string;
  readonly regexp: RegExp;
  readonly explanation: string;
  readonly examples: readonly string[];
  /** In bytes. */
  readonly maxLength?: number;
}

/** Makes a rule whose pattern must match the whole text. */
export function textRule(rule: Omit<TextRule, 'regexp'>): TextRule {
  return { ...rule, regexp: new RegExp(`^(?:${rule.pattern})$`) };
}

/** Upstream's messages for a text that breaks the rule: first the length, then the pattern. */
export function checkText(value: string, rule: TextRule): string[] {
  const messages: string[] = [];
  if (rule.maxLength !== undefined && byteLength(value) > rule.maxLength) {
    messages.push(maxLengthMessage(rule.maxLength));
  }
  if (!rule.regexp.test(value)) messages.push(explain(rule));
  return messages;
}

/** The message of a rule whose pattern did not match. */
export function explain(rule: TextRule): string {
  return patternMessage(rule.explanation, rule.pattern, rule.examples);
}
