import { type KubeObject, parseJson } from '@flotilla/machinery';
import type { UserInfo } from '../objects/engine.ts';
import type { Change, Store, Tenant } from '../storage/store.ts';
import type { PolicyRule } from './rules.ts';

/** A role some binding grants. */
export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** A grant that reaches the user, with the words reviews explain it in. */
export interface Grant {
  /** Empty for a cluster-wide grant. */
  readonly namespace: string;
  readonly binding: string;
  readonly role: RoleRef;
  readonly subject: string;
}

const GROUP = 'rbac.authorization.k8s.io';
const PREFIXES = {
  clusterRole: `${GROUP}/clusterroles/`,
  clusterRoleBinding: `${GROUP}/clusterrolebindings/`,
  role: `${GROUP}/roles/`,
  roleBinding: `${GROUP}/rolebindings/`,
} as const;

/** One tenant's roles and bindings, arranged for the question "what may this user do here?". */
export class PolicyIndex {
  readonly #rules = new Map<string, readonly PolicyRule[]>();
  /** Subject → binding key → grant. */
  readonly #grants = new Map<string, Map<string, Grant>>();
  /** Binding key → subjects, to take a changed binding out again. */
  readonly #subjects = new Map<string, readonly string[]>();

  /** Reads everything there is; later changes come through `apply`. */
  static load(store: Store, tenant: Tenant): PolicyIndex {
    const index = new PolicyIndex();
    using snapshot = store.snapshot(tenant);
    for (const prefix of Object.values(PREFIXES)) {
      for (const { key, value } of snapshot.range(prefix, { limit: Number.MAX_SAFE_INTEGER })) {
        index.#put(key, value);
      }
    }
    return index;
  }

  /** Whether a change concerns policy at all. */
  static concerns(change: Change): boolean {
    return change.key.startsWith(`${GROUP}/`);
  }

  apply(change: Change): void {
    this.#remove(change.key);
    if (change.value !== undefined) this.#put(change.key, change.value);
  }

  /** The rules of a role; undefined when there is no such role. */
  rules(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#rules.get(
      role.kind === 'ClusterRole'
        ? `${PREFIXES.clusterRole}${role.name}`
        : `${PREFIXES.role}${namespace}/${role.name}`,
    );
  }

  /** Every grant that reaches the user: cluster-wide ones, and those of one namespace. */
  *grants(user: UserInfo, namespace: string): Iterable<Grant> {
    for (const subject of subjectsOf(user)) {
      for (const grant of this.#grants.get(subject)?.values() ?? []) {
        if (grant.namespace === '' || grant.namespace === namespace) yield grant;
      }
    }
  }

  #put(key: string, value: Buffer): void {
    const object = parseJson(value).value as KubeObject;
    if (key.startsWith(PREFIXES.clusterRole) || key.startsWith(PREFIXES.role)) {
      this.#rules.set(key, (object['rules'] as PolicyRule[] | null | undefined) ?? []);
      return;
    }
    const namespace = object.metadata.namespace ?? '';
    const role = object['roleRef'] as RoleRef;
    const listed = (object['subjects'] as BindingSubject[] | null | undefined) ?? [];
    const subjects: string[] = [];
    for (const subject of listed) {
      const name = subjectKey(subject, namespace);
      subjects.push(name);
      let grants = this.#grants.get(name);
      if (grants === undefined) {
        grants = new Map();
        this.#grants.set(name, grants);
      }
      grants.set(key, {
        namespace,
        binding: object.metadata.name ?? '',
        role,
        subject: describeSubject(subject, namespace),
      });
    }
    this.#subjects.set(key, subjects);
  }

  #remove(key: string): void {
    this.#rules.delete(key);
    for (const subject of this.#subjects.get(key) ?? []) {
      const grants = this.#grants.get(subject);
      grants?.delete(key);
      if (grants?.size === 0) this.#grants.delete(subject);
    }
    this.#subjects.delete(key);
  }
}

interface BindingSubject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

const SERVICE_ACCOUNT = 'system:serviceaccount:';

function subjectsOf(user: UserInfo): string[] {
  return [`User/${user.name}`, ...user.groups.map((group) => `Group/${group}`)];
}

/** A ServiceAccount subject is the user name its tokens carry. */
function subjectKey(subject: BindingSubject, bindingNamespace: string): string {
  if (subject.kind !== 'ServiceAccount') return `${subject.kind}/${subject.name}`;
  return `User/${SERVICE_ACCOUNT}${subject.namespace ?? bindingNamespace}:${subject.name}`;
}

function describeSubject(subject: BindingSubject, bindingNamespace: string): string {
  if (subject.kind !== 'ServiceAccount') return `${subject.kind} "${subject.name}"`;
  return `ServiceAccount "${subject.name}/${subject.namespace ?? bindingNamespace}"`;
}
