import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listType, mapType, objectType, pointerType } from './container-types.ts';
import { type FieldExtras, type GoType, isStruct, type Omit, type StructType } from './go-type.ts';
import { anyType, boolType, bytesType, floatType, intType, stringType } from './scalar-types.ts';
import { specialForms, specialType } from './special-types.ts';
import { type Declared, structType } from './struct-type.ts';

/** One field in a type table: JSON name, type, protobuf number, omission, extras. */
export type FieldRow =
  | readonly [name: string, type: string, number: number, omit: Omit]
  | readonly [name: string, type: string, number: number, omit: Omit, extras: FieldExtras];

/** One type in a type table: a struct, a named scalar, a named list, or a special type. */
export interface TypeRow {
  readonly fields?: readonly FieldRow[];
  readonly kind?: string;
  /** Item type of a named list. */
  readonly of?: string;
  /** x-kubernetes-map-type of a struct. */
  readonly mt?: string;
}

/** One file of types: everything the API takes from one Go package. */
export interface TypeFile {
  readonly package: string;
  readonly types: Readonly<Record<string, TypeRow>>;
}

/** A kind and the version it is served in. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** One line of kinds.json. */
export interface KindRow extends GroupVersionKind {
  readonly type: string;
}

/** Where tables come from: files, or a test's own objects. */
export interface TableSource {
  readonly types: (file: string) => TypeFile;
  readonly kinds: () => readonly KindRow[];
}

/** Every type of the API, each made ready when it is first asked for. */
export interface TypeTables {
  /** A type by its expression in the tables: `core/v1.Pod`, `[]string`, `map[string]resource.Quantity`. */
  readonly type: (expression: string) => GoType;
  /** A struct by name; throws when there is none. */
  readonly struct: (name: string) => StructType;
  /** The struct behind a kind, or undefined when the kind is not registered. */
  readonly kind: (gvk: GroupVersionKind) => StructType | undefined;
  /** Whether any kind is registered in this group version. */
  readonly hasVersion: (gv: { group: string; version: string }) => boolean;
}

/** Reads tables from a folder, each file when it is first needed. */
export function tablesFrom(folder: string): TableSource {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  return {
    types: (file) => read(join('types', `${file}.json`)) as TypeFile,
    kinds: () => read('kinds.json') as KindRow[],
  };
}

/** Maps whose type or key type has a name in Go; the tables write them plainly, Go's error texts do not. */
const mapNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'core/v1': {
    'map[string]resource.Quantity': 'v1.ResourceList',
    'map[string]string:core/v1.ClaimResourceStatus': 'map[v1.ResourceName]v1.ClaimResourceStatus',
  },
  'node/v1': { 'map[string]resource.Quantity': 'v1.ResourceList' },
  'resource/v1': {
    'map[string]resource.Quantity': 'map[v1.QualifiedName]resource.Quantity',
    'map[string]resource/v1.DeviceAttribute': 'map[v1.QualifiedName]v1.DeviceAttribute',
    'map[string]resource/v1.DeviceCapacity': 'map[v1.QualifiedName]v1.DeviceCapacity',
  },
};

let shared: TypeTables | undefined;

/** The tables of this build, shared by the whole process. */
export function typeTables(): TypeTables {
  shared ??= createTypeTables(tablesFrom(FLOTILLA_DATA));
  return shared;
}

/** Makes types out of tables; nothing is read before it is asked for. */
export function createTypeTables(source: TableSource): TypeTables {
  const files = new Map<string, TypeFile>();
  const types = new Map<string, GoType>();
  let kinds: Map<string, string> | undefined;
  let versions: Set<string> | undefined;

  const type = (expression: string): GoType => {
    let made = types.get(expression);
    if (made === undefined) {
      made = make(expression);
      types.set(expression, made);
    }
    return made;
  };

  function make(expression: string): GoType {
    if (expression.startsWith('*')) return pointerType(type(expression.slice(1)));
    if (expression.startsWith('[]')) return listType(type(expression.slice(2)));
    if (expression.startsWith('map[string]')) {
      return mapType(type(expression.slice('map[string]'.length)));
    }
    const colon = expression.indexOf(':');
    if (colon > 0) return scalar(expression.slice(0, colon), goName(expression.slice(colon + 1)));
    return expression.includes('.') ? named(expression) : scalar(expression, expression);
  }

  function named(name: string): GoType {
    const special = specialForms[name];
    const pkg = packageOf(name);
    if (special !== undefined) {
      return specialType(special, goName(name), () => struct(`${pkg}.JSONSchemaProps`));
    }
    if (name === 'runtime.Object') return objectType(name);
    const row = rowOf(name);
    if (row?.kind === 'list') {
      return listType(type(row.of ?? 'string'), { goName: goName(name), wrapper: true });
    }
    if (row?.fields === undefined) throw new Error(`Cannot use type "${name}": no table has it`);
    const rows = row.fields;
    const load = () => rows.map((field) => declared(field, pkg));
    return structType(name, {
      name: name.slice(pkg.length + 1),
      goName: goName(name),
      mapType: row.mt,
      load,
    });
  }

  function declared([name, expression, number, omit, extras]: FieldRow, pkg: string): Declared {
    const mapName = mapNames[pkg]?.[expression];
    const fieldType = mapName === undefined ? type(expression) : namedMap(expression, mapName);
    // An empty list of managers asks for a fresh start, where none asks for nothing.
    if (name === 'managedFields') {
      return { name, type: fieldType, number, omit: 'n', extras: extras ?? {} };
    }
    return { name, type: fieldType, number, omit, extras: extras ?? {} };
  }

  function namedMap(expression: string, name: string): GoType {
    const key = `${name} ${expression}`;
    let made = types.get(key);
    if (made === undefined) {
      made = mapType(type(expression.slice('map[string]'.length)), name);
      types.set(key, made);
    }
    return made;
  }

  function rowOf(name: string): TypeRow | undefined {
    const pkg = packageOf(name);
    let file = files.get(pkg);
    if (file === undefined) {
      file = source.types(pkg.replace('/', '.'));
      files.set(pkg, file);
    }
    const bare = name.slice(pkg.length + 1);
    return Object.hasOwn(file.types, bare) ? file.types[bare] : undefined;
  }

  function struct(name: string): StructType {
    const found = type(name);
    if (!isStruct(found)) throw new Error(`Cannot use type "${name}": it is not a struct`);
    return found;
  }

  function kindIndex(): Map<string, string> {
    kinds ??= new Map(source.kinds().map((row) => [kindKey(row), row.type]));
    return kinds;
  }

  return {
    type,
    struct,
    kind: (gvk) => {
      const name = kindIndex().get(kindKey(gvk));
      return name === undefined ? undefined : struct(name);
    },
    hasVersion: ({ group, version }) => {
      versions ??= new Set(source.kinds().map((row) => `${row.group}/${row.version}`));
      return versions.has(`${group}/${version}`);
    },
  };
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

function packageOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

/** `core/v1.PodSpec` is `v1.PodSpec` to Go, which names a type by the last part of its package's path. */
function goName(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

function scalar(name: string, go: string): GoType {
  switch (name) {
    case 'string':
      return stringType(go);
    case 'bool':
      return boolType(go);
    case 'bytes':
      return bytesType(go === name ? '[]uint8' : go);
    case 'float64':
      return floatType(go);
    case 'any':
      return anyType();
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'uint8':
      return intType(go, {
        signed: name.startsWith('int'),
        bits: name.endsWith('64') ? 64 : name.endsWith('32') ? 32 : 8,
      });
    default:
      throw new Error(`Cannot use type "${name}": it is not a scalar`);
  }
}
