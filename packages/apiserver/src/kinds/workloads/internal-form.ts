import { readData } from '../../data-files.ts';

interface Field {
  readonly goName: string;
  readonly jsonName: string;
  readonly type: string;
}

type Part = Field | { readonly embedded: string };

type Source = Readonly<Record<string, unknown>>;

/** The text of each type, read when the first message needs one; tools/real-kubernetes/README.md explains them. */
let internalTypes: Readonly<Record<string, string>> | undefined;

const partsByType = new Map<string, readonly Part[]>();

/** A v1 object as upstream's internal type would be written in JSON: Go names, every field, null for what is unset. */
export function internalForm(type: string, value: unknown): Record<string, unknown> {
  const form: Record<string, unknown> = {};
  fill(form, type, type === 'PodSpec' ? withHostFields(asSource(value)) : asSource(value));
  return form;
}

function fill(form: Record<string, unknown>, type: string, source: Source): void {
  for (const part of partsOf(type)) {
    if (!('embedded' in part)) {
      form[part.goName] = convert(part.type, source[part.jsonName]);
    } else if (part.embedded === '@meta') {
      Object.assign(form, asSource(source['metadata']));
    } else {
      fill(form, part.embedded, source);
    }
  }
}

function convert(type: string, value: unknown): unknown {
  if (type.startsWith('*')) return value == null ? null : convert(type.slice(1), value);
  if (type.startsWith('[]')) {
    return Array.isArray(value) ? value.map((item) => convert(type.slice(2), item)) : null;
  }
  if (type.startsWith('{}')) {
    if (value == null) return null;
    const entries = Object.entries(asSource(value)).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, item]) => [key, convert(type.slice(2), item)]));
  }
  if (type === 's') return value ?? '';
  if (type === 'n' || type === 'i') return value ?? 0;
  if (type === 'b') return value ?? false;
  if (type === 'q') return value ?? '0';
  if (type === 'x' || type === 't') return value ?? null;
  return internalForm(type, value);
}

function partsOf(type: string): readonly Part[] {
  const known = partsByType.get(type);
  if (known !== undefined) return known;
  internalTypes ??= readData<Readonly<Record<string, string>>>('internal-types.json');
  const parts = (internalTypes[type] ?? '').split(' ').map(parsePart);
  partsByType.set(type, parts);
  return parts;
}

function parsePart(text: string): Part {
  if (text.startsWith('@')) return { embedded: text };
  if (text.startsWith('+')) return { embedded: text.slice(1) };
  const [label = '', type = ''] = text.split(':');
  const [goName = '', jsonName = `${goName.charAt(0).toLowerCase()}${goName.slice(1)}`] =
    label.split('=');
  return { goName, jsonName, type };
}

/** The internal pod has its host namespaces inside the security context. */
function withHostFields(spec: Source): Source {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } = spec;
  return {
    ...spec,
    securityContext: {
      ...asSource(spec['securityContext']),
      hostNetwork,
      hostPID,
      hostIPC,
      shareProcessNamespace,
      hostUsers,
    },
  };
}

function asSource(value: unknown): Source {
  return typeof value === 'object' && value !== null ? (value as Source) : {};
}
