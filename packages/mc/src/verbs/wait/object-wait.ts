import type { KubeObject } from '@flotilla/machinery';
import type { Condition } from './condition.ts';

/** One object of one cluster, and which of the conditions it has met so far. */
export class ObjectWait {
  readonly name: string;
  readonly #conditions: readonly Condition[];
  #met = 0;
  #last: KubeObject | undefined;
  /** Of the object that has to go: another one of the same name is not it. */
  #uid: string | undefined;

  constructor(name: string, conditions: readonly Condition[]) {
    this.name = name;
    this.#conditions = conditions;
  }

  get isDone(): boolean {
    return this.#met >= this.#conditions.length;
  }

  /** What it waits for now. */
  get condition(): Condition | undefined {
    return this.#conditions[this.#met];
  }

  /**
   * Looks at it as it is now; undefined means that it is gone, or not there yet. Gives what is to be shown, once for
   * each condition that is met by it.
   */
  see(object: KubeObject | undefined): KubeObject[] {
    const shown: KubeObject[] = [];
    this.#uid ??= object?.metadata.uid;
    this.#last = object ?? this.#last;
    while (this.condition !== undefined && this.#meets(this.condition, object)) {
      this.#met += 1;
      if (this.#last !== undefined) shown.push(this.#last);
    }
    return shown;
  }

  #meets(condition: Condition, object: KubeObject | undefined): boolean {
    switch (condition.kind) {
      case 'create':
        return object !== undefined;
      case 'delete':
        return object === undefined || object.metadata.uid !== this.#uid;
      case 'state':
        return object !== undefined && condition.isMet(object as object as Record<string, unknown>);
    }
  }
}
