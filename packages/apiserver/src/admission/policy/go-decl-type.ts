import {
  boolType,
  bytesType,
  type DeclType,
  declare,
  doubleType,
  dynDecl,
  escapeProperty,
  intType,
  listDecl,
  mapDecl,
  objectDecl,
  stringType,
  timestampType,
} from '@flotilla/machinery/cel';
import {
  type GoType,
  isList,
  isMap,
  isPointer,
  isSpecial,
  isStruct,
  type SpecialForm,
  type StructType,
} from '../../codec/go-type.ts';

const SCALARS: Readonly<Record<string, DeclType>> = {
  bool: declare(boolType),
  int: declare(intType),
  float: declare(doubleType),
  string: declare(stringType),
  bytes: declare(bytesType),
};

const SPECIAL: Partial<Readonly<Record<SpecialForm, DeclType>>> = {
  time: declare(timestampType),
  microTime: declare(timestampType),
  duration: declare(stringType),
  quantity: declare(stringType),
};

const known = new WeakMap<StructType, DeclType>();

/** The type that expressions over a built-in kind are checked against; made once for each kind. */
export function declTypeOfKind(type: StructType): DeclType {
  let decl = known.get(type);
  if (decl === undefined) {
    decl = structDecl(type, []);
    known.set(type, decl);
  }
  return decl;
}

function declOf(type: GoType, within: readonly StructType[]): DeclType {
  if (isPointer(type)) return declOf(type.to, within);
  if (isList(type)) return listDecl(declOf(type.of, within));
  if (isMap(type)) return mapDecl(declOf(type.of, within));
  if (isStruct(type)) return structDecl(type, within);
  if (isSpecial(type)) return SPECIAL[type.special] ?? dynDecl;
  return SCALARS[type.form] ?? dynDecl;
}

/** A type that contains itself, such as a schema, is taken for anything further down. */
function structDecl(type: StructType, within: readonly StructType[]): DeclType {
  if (within.includes(type)) return dynDecl;
  const fields: Record<string, DeclType> = {};
  for (const field of type.fields()) {
    const name = escapeProperty(field.name);
    if (name !== undefined) fields[name] = declOf(field.type, [...within, type]);
  }
  return objectDecl(type.key, fields);
}
